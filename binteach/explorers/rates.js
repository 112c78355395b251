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

// The rates and the class ratios in whole numbers, read once.
const whole = state.whole ?? (state.whole = {
  tp: state.tp.map(BigInt), positives: BigInt(state.positives),
  fp: state.fp.map(BigInt), negatives: BigInt(state.negatives),
  odds: state.odds.map((pair) => pair.map(BigInt)),
})

// TP, FP, FN and TN at a prevalence and a cut, as whole multiples of one small share of all cases.
function counts_at(column, i) {
  const [up, down] = whole.odds[column]
  const a = up * whole.negatives, b = down * whole.positives
  const tp = a * whole.tp[i], fp = b * whole.fp[i]
  return {tp, fp, fn: a * whole.positives - tp, tn: b * whole.negatives - fp}
}

// What a slider says of itself to those who cannot see it.
function speak(slider, text) {
  name_handles([slider])
  const view = Bokeh.index.find_one(slider)
  const root = view && (view.shadow_el || view.el)
  const handle = root && root.querySelector(".noUi-handle")
  if (handle) handle.setAttribute("aria-valuetext", text)
}
