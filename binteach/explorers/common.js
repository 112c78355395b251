// Shared by all explorers. A page is worked out beforehand; here it is only switched.

// The text of a template with its slots filled in.
function filled(form, slots) {
  let text = form[0]
  for (let i = 0; i < slots.length; i++) text += slots[i] + form[i + 1]
  return text
}

// The place in a rising list of the number nearest to the wanted one; towards `from` it may not stick,
// unless a pointer holds the handle.
function nearest(list, wanted, from, held = false) {
  let best = 0
  for (let i = 1; i < list.length; i++) {
    const closer = Math.abs(list[i] - wanted) - Math.abs(list[best] - wanted)
    if (closer < 0 || (closer === 0 && wanted > from && !held)) best = i
  }
  // One step with the keyboard must leave a wide tie: go on in the direction of the step.
  if (!held && list[best] === from && wanted !== from) {
    const next = best + (wanted > from ? 1 : -1)
    if (next >= 0 && next < list.length) best = next
  }
  return best
}

// A handle of Bokeh's slider has no name of its own for those who cannot see it.
function name_handles(models) {
  for (const model of models) {
    const view = Bokeh.index.find_one(model)
    const root = view && (view.shadow_el || view.el)
    if (!root) continue
    for (const handle of root.querySelectorAll(".noUi-handle")) {
      handle.setAttribute("aria-label", model.title)
    }
  }
}

// Whether a slider is moved by a pointer, not by a key.
function is_held(slider) {
  const view = Bokeh.index.find_one(slider)
  return !!view && view.shadow_el.querySelector(".noUi-state-drag, .noUi-state-tap") !== null
}

// The text of a box. As a mere property it would have Bokeh measure and lay out the whole page.
function write(box, text) {
  if (box.text === text) return
  box.setv({text}, {silent: true})
  for (const view of Bokeh.index.find(box)) {
    if (view.markup_el) view.markup_el.innerHTML = text
  }
}

// Text from outside, safe in a page.
function escaped(text) {
  const signs = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
  return text.replace(/[&<>"']/g, (sign) => signs[sign])
}

// Data that Python squeezed; a promise, since browsers unpack in the background.
async function unsqueezed(text) {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))
  return JSON.parse(await new Response(stream).text())
}
