// The page that stands before this script. Where a notebook shows the live one, it stays away; it comes
// where there is none: in a file, in a notebook that was converted, or opened again without its kernel.
const page = document.currentScript.previousElementSibling

const show = (item) => {
  page.replaceChildren()
  let is_drawn = false
  const draw = () => {
    if (is_drawn || !page.isConnected) return
    is_drawn = true
    Bokeh.embed.embed_item(item, page)
  }
  // A running notebook has the live page in the next output of the same cell.
  const output = page.closest(".jp-OutputArea")
  if (!output || !document.querySelector(".jp-LabShell, .jp-NotebookShell")) return draw()
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
