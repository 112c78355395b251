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

// The place in s.k where a slider stands. Where it cannot stay it is moved first, and null is returned:
// then the code of the page runs again.
function place_of(slider, s) {
  const place = nearest(s.k, slider.value, s.last, is_held(slider))
  s.last = s.k[place]
  if (slider.value === s.last) return place
  slider.value = s.last
  return null
}

// The source of one point; an empty one where it does not exist.
function point(x, y, text) {
  return x === null || y === null ? {x: [], y: [], text: []} : {x: [x], y: [y], text: [text]}
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

// In a notebook the output is a box that could be scrolled, and what sticks to its top would leave the
// window with it. Where it is not scrolled, it need not be such a box.
function let_stick(box) {
  for (const {el} of views_of(box)) {
    const output = around(el).find((each) => each.matches(".jp-Cell-outputArea"))
    if (!output || el.dataset.sticks) continue
    el.dataset.sticks = "yes"
    const style = document.createElement("style")
    style.textContent = ".jp-Cell:not(.jp-mod-outputsScrolled) .binteach-output { overflow: clip !important; }"
    output.before(style)
    const scrolls = (each) => getComputedStyle(each).overflowY !== "visible"
    for (const each of around(el)) {
      if (output.contains(each) && scrolls(each)) each.classList.add("binteach-output")
    }
  }
}

// An element and all around it, from the inside out.
function around(el) {
  const found = []
  for (let each = el; each; each = each.parentElement ?? each.getRootNode().host) found.push(each)
  return found
}
let_stick(summary)

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
  const moving = ".noUi-active, .noUi-state-tap"
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

// The derivation of a measure at a place; null where none was written beforehand.
function derivation_of(s, key, place) {
  const all = s.derivations[key]
  if (!all) return null
  const [form, use] = all.length === 1 ? all[0] : all[place]
  return s.style + filled(s.forms[form], s.slots[form][use])
}

// A box that Python fills while it runs. What it writes names what it is of: as long as that is not what
// is wanted now, it is old, and after a while without an answer a sentence takes its place.
function await_answer(box, wanted, sentence) {
  box.wanted = wanted
  const is_old = () => box.wanted === wanted && !box.text.includes(`data-of="${wanted}"`)
  if (is_old()) setTimeout(() => { if (is_old()) write(box, sentence) }, 1500)
}

// A confusion matrix; `cells` are number and name of TP, FP, FN and TN.
function matrix_text(title, [tp, fp, fn, tn], sklearn = false, foot = "") {
  const cell = ([number, name], kind) => `<td class="${kind}"><b>${number}</b><br><span>${name}</span></td>`
  const row = (head, cells) => `<tr><th scope="row">${head}</th>${cells.join("")}</tr>`
  const head = (names) => `<tr><td></td>${names.map((name) => `<th scope="col">${name}</th>`).join("")}</tr>`
  const [names, rows] = sklearn
    ? [["called −", "called +"], [
      row("really −", [cell(tn, "right"), cell(fp, "wrong")]),
      row("really +", [cell(fn, "wrong"), cell(tp, "right")])]]
    : [["really +", "really −"], [
      row("called +", [cell(tp, "right"), cell(fp, "wrong")]),
      row("called −", [cell(fn, "wrong"), cell(tn, "right")])]]
  return `<h3>${title}</h3><table><thead>${head(names)}</thead><tbody>${rows.join("")}</tbody>${foot}</table>`
}

// Text from outside, safe in a page.
function escaped(text) {
  const signs = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}
  return text.replace(/[&<>"']/g, (sign) => signs[sign])
}
