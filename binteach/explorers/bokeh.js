// BokehJS, run once for all pages of a document, when the first asks for it.
window.binteach_bokeh = () => {
  if (window.Bokeh?.embed) return
  const bytes = Uint8Array.from(atob(packed), (sign) => sign.charCodeAt(0))
  const script = document.createElement("script")
  // zlib's two bytes of heading are not for this function.
  script.textContent = new TextDecoder().decode(tinf_uncompress(bytes.subarray(2), new Uint8Array(size)))
  document.head.append(script)
}
dispatchEvent(new Event("binteach-bokeh"))
