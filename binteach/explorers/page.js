// The page that stands before this script. Where a notebook shows the live one, it stays away; it comes
// where there is none: in a file, in a notebook that was converted, or opened again without its kernel.
const page = document.currentScript.previousElementSibling

// A notebook may draw its cells in another order than they stand.
const bokeh = async () => {
  if (!window.binteach_bokeh) await new Promise((found) => addEventListener("binteach-bokeh", found, {once: true}))
  window.binteach_bokeh()
}

const show = (squeezed) => {
  if (window.binteach_bokeh) page.replaceChildren()
  let is_drawn = false
  const draw = async () => {
    if (is_drawn || !page.isConnected) return
    is_drawn = true
    await bokeh()
    page.replaceChildren()
    Bokeh.embed.embed_item(await unsqueezed(squeezed), page)
  }
  // A running notebook has the live page in the next output of the same cell.
  const output = page.closest(".jp-OutputArea")
  if (!output || !document.querySelector(".jp-LabShell, .jp-NotebookShell")) return draw()
  window.binteach_bokeh?.() // the live page needs it at once
  const failed = (each) => !each.contains(page) && each.textContent.includes("model not found")
  const look = () => {
    page.hidden = output.querySelector(".widget-vbox") !== null
    if (!page.hidden && [...output.querySelectorAll(".jp-OutputArea-output")].some(failed)) draw()
  }
  new MutationObserver(look).observe(output, {childList: true, subtree: true})
  // It may never say that it does not come.
  setTimeout(() => { if (!page.hidden) draw() }, 5000)
  look()
}
