// The intervals explorer: r of n, the intervals of all methods, and how one of them comes about.
const s = state
const trials_now = () => s.several ? n.value : Number(Object.keys(s.first)[0])
const trials = trials_now()
const [fewest, most, offset] = s.first[trials] ?? [0, 0, 0] // of no trials there is no success

// There are no more successes than trials. The slider may only end where they end.
if (r.value > most || r.value < fewest) {
  r.value = Math.min(Math.max(r.value, fewest), most)
  return
}
r.setv({end: Math.max(most, 1), disabled: most === 0})
const successes = r.value
const place = offset + successes - fewest
const keys = Object.keys(s.titles)
const chosen = method.value
const percent = s.percents[level.value]
const all = s.ends[level.value]
// "0.8305 =1": = stands before what is not rounded
const number = (text) => Number(text.replace("=", ""))
const shown = (text) => (text.startsWith("=") ? text.slice(1) : `≈ ${text}`).replace("-", "−")
const both = (key) => all[key][place].split(" ").map(number)
const words = (key) => all[key][place].split(" ").map(shown).join(" to ")

// A line for each method
const rows = {y: [], left: [], right: [], colour: []}
const impossible = {y: [], left: [], right: []}
const points = {x: [], y0: [], y1: []}
const labels = {x: [], y: [], words: []}
for (const [row, key] of trials ? keys.entries() : []) {
  const y = keys.length - row
  const [low, high] = both(key)
  const within = (x) => Math.min(Math.max(x, 0), 1)
  rows.y.push(y)
  rows.left.push(within(low))
  rows.right.push(within(high))
  rows.colour.push(key === chosen ? colours.chosen : colours.other)
  if (low < 0) { impossible.y.push(y); impossible.left.push(low); impossible.right.push(0) }
  if (high > 1) { impossible.y.push(y); impossible.left.push(1); impossible.right.push(high) }
  points.x.push(low, high)
  points.y0.push(y - 0.2, y - 0.2)
  points.y1.push(y + 0.2, y + 0.2)
  labels.x.push((low + high) / 2)
  labels.y.push(y + 0.1)
  labels.words.push((key === chosen ? "▸ " : "") + words(key))
}
if (!s.several) {
  // Of many trials the intervals are short: go near.
  const leftmost = Math.min(...points.x), rightmost = Math.max(...points.x)
  const margin = 0.6 * (rightmost - leftmost) || 0.1
  figures.intervals.x_range.setv({start: leftmost - margin, end: rightmost + margin})
}
// The words stay inside the picture.
const {start, end} = figures.intervals.x_range
const half = Math.min(105 / (figures.intervals.inner_width || 560), 0.5) * (end - start)
labels.x = labels.x.map((x) => Math.min(Math.max(x, start + half), end - half))
inside.data = rows
outside.data = impossible
caps.data = points
ends.data = labels
estimate.setv({location: trials ? successes / trials : 0, visible: trials > 0})
const aside = 0.05 * (end - start)
named.below.setv({x: start + aside, visible: start + aside < -aside / 2})
named.above.setv({x: end - aside, visible: end - aside > 1 + aside / 2})
figures.intervals.title.text = trials ? `${percent} intervals for ${successes} of ${trials}`
  : "No interval: there are no trials"

// Coverage: above 1/2 the mirror image of what is below
const first_half = s.coverage[level.value][chosen][trials] ?? []
const texts = [...first_half, ...first_half.slice(0, -1).reverse()]
const x = texts.map((_, i) => i / s.points), y = texts.map(number)
covered.data = {x, y, text: texts.map((text, i) =>
  `true share ${x[i]}: coverage ${text.startsWith("=") ? "= " : ""}${shown(text)}`)}
const least = y.indexOf(Math.min(...y)), mirrored = y.length - 1 - least
const held = texts.length
  ? ` Coverage is lowest, ${shown(texts[least])}, where the true share is ${x[least]}` +
    `${mirrored > least ? ` or ${x[mirrored]}` : ""}.` : ""
if (figures.coverage) {
  figures.coverage.title.text = trials ? `Coverage of ${s.titles[chosen]}, n = ${trials}` : "No coverage: there are no trials"
}
nominal.location = Number(level.value)

// The derivation. Python writes it, if it runs; else it is looked up, as soon as all are unpacked.
function explain() {
  const count = trials_now(), live = derivation.tags.includes("live")
  const made = s.derivations?.[level.value][method.value][`${r.value} of ${count}`]
  const call = `bt.interval("${method.value}", ${r.value}, ${count}, level="${level.value}").explain()`
  const text = !count ? s.undefined_derivation
    : made ? s.style + filled(s.forms[made[0]], s.slots[made[0]][made[1]])
    : live ? s.no_answer
    : "<p>Derivations are written beforehand for few trials only. " + (method.value === "bootstrap"
      ? "Move n down to see one.</p>" : `In a notebook this one is <code>${call}</code>.</p>`)
  if (live) await_answer(derivation, `${r.value} of ${count} ${level.value} ${method.value}`, text)
  else if (s.derivations) write(derivation, text)
}
explain()
if (!s.unpacking) {
  s.unpacking = true
  unsqueezed(s.squeezed).then((found) => {
    Object.assign(s, found)
    explain()
  }, () => { write(derivation, "<p>This browser is too old to show derivations.</p>") })
}

if (trials) {
  const [low, high] = both(chosen)
  const beyond = [low < 0 ? "below 0" : "", high > 1 ? "above 1" : ""].filter((each) => each).join(" and ")
  const name = chosen === "bootstrap" ? chosen : s.titles[chosen]
  const share = s.shares[place].startsWith(`${successes}/${trials}`)
    ? s.shares[place].slice(`${successes}/${trials}`.length) : ` = ${s.shares[place]}`
  write(summary, `${successes}/${trials}${share}: the ${percent} ${name} interval reaches from ${words(chosen)}` +
    (beyond ? `; its part ${beyond} is impossible.` : ".") + held)
} else {
  write(summary, `${s.undefined} So there are no trials, and no interval. Move n to see those of other shares.`)
}
name_handles([r, n])
