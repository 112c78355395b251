// Shared by the explorers of prevalence and of costs.

// Many short texts were joined to one; taken apart, they are kept.
const taken_apart = state.taken_apart ?? (state.taken_apart = new Map())
function apart(text) {
  if (!taken_apart.has(text)) taken_apart.set(text, text.split("|"))
  return taken_apart.get(text)
}

// The text for a pair of places, from what was packed on a grid; null where none was written.
function derived(packed, row, column) {
  const found = apart(packed.grid[row])[column]
  if (found === "") return null
  const [number, use] = found.split(" ")
  const form = packed.forms[number]
  const at = {row, column, use}
  const slots = form.columns.map((each) => apart(each.texts)[at[each.by]])
  return filled(form.pieces, form.order.map((slot) => slots[slot]))
}

// A number as it is read: whole, or with four places; of a large one with fewer.
function rounded(number) {
  return Number.isInteger(number) ? `${number}` : `≈ ${number.toFixed(number < 100 ? 4 : 1)}`
}

// What a slider says of itself to those who cannot see it.
function speak(slider, text) {
  name_handles([slider])
  const view = Bokeh.index.find_one(slider)
  const root = view && (view.shadow_el || view.el)
  const handle = root && root.querySelector(".noUi-handle")
  if (handle) handle.setAttribute("aria-valuetext", text)
}
