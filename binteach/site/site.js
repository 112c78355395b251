// A formula or table that is wider than the page scrolls: then the arrow keys must reach it, too.
const reach = () => {
  for (const part of document.querySelectorAll(".chain, .wide, .binteach, article pre")) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0
    else part.removeAttribute("tabindex")
  }
}
addEventListener("load", reach)
addEventListener("resize", reach)
document.addEventListener("toggle", reach, true)
