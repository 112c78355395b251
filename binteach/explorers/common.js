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

// Where a control or a box is shown. Bokeh.index also looks into the many parts of every figure.
function views_of(model) {
  const found = []
  const search = (view) => {
    if (view.model === model) found.push(view)
    for (const child of view.child_views ?? []) search(child)
  }
  for (const root of Bokeh.index) if (root.model.document === model.document) search(root)
  return found
}

// A handle of Bokeh's slider has no name of its own for those who cannot see it.
function name_handles(models) {
  for (const model of models) {
    for (const view of views_of(model)) {
      for (const handle of view.shadow_el.querySelectorAll(".noUi-handle")) {
        handle.setAttribute("aria-label", model.title)
      }
    }
  }
}

// Whether a slider is moved by a pointer, not by a key.
function is_held(slider) {
  const moving = ".noUi-state-drag, .noUi-state-tap"
  return views_of(slider).some((view) => view.shadow_el.querySelector(moving) !== null)
}

// The text of a box. As a mere property it would have Bokeh measure and lay out the whole page.
function write(box, text) {
  if (box.text === text) return
  box.setv({text}, {silent: true})
  for (const view of views_of(box)) {
    if (view.markup_el) view.markup_el.innerHTML = text
  }
}

// A box that changes all the time keeps the height that it has had: else the page would jump, and
// Bokeh lay it out anew. It lets go when it shows something else.
function keep_height(box, shown) {
  for (const {el} of views_of(box)) {
    const had = el.dataset.shown === shown ? Math.max(parseFloat(el.style.minHeight) || 0, el.offsetHeight) : 0
    el.dataset.shown = shown
    el.style.minHeight = `${had}px`
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
