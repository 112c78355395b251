// The intervals explorer: r of n, the intervals of all methods, and how one of them comes about.
const s = state
const trials_now = () => s.several ? n.value : Number(Object.keys(s.first)[0])
const trials = trials_now()
const [fewest, most, offset] = s.first[trials]

// There are no more successes than trials. The slider may only end where they end.
if (r.value > most || r.value < fewest) {
  r.value = Math.min(Math.max(r.value, fewest), most)
  return
}
if (r.end !== most) r.end = most
const successes = r.value
const place = offset + successes - fewest
const keys = Object.keys(s.titles)
const chosen = method.value
const percent = s.percents[level.value]
const all = s.ends[level.value]
const both = (key) => all[key][place].split(" ").map(Number)
const words = (key) => all[key][place].replace(" ", " to ").replaceAll("-", "−")

// A line for each method
const rows = {y: [], left: [], right: [], colour: []}
const impossible = {y: [], left: [], right: []}
const points = {x: [], y0: [], y1: []}
const labels = {x: [], y: [], words: []}
for (const [row, key] of keys.entries()) {
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
  const middle = (low + high) / 2
  labels.x.push(s.several ? Math.min(Math.max(middle, 0.12), 0.88) : middle)
  labels.y.push(y + 0.1)
  labels.words.push((key === chosen ? "▸ " : "") + words(key))
}
inside.data = rows
outside.data = impossible
caps.data = points
ends.data = labels
estimate.location = successes / trials
if (!s.several) {
  // Of many trials the intervals are short: go near.
  const leftmost = Math.min(...points.x), rightmost = Math.max(...points.x)
  const margin = 0.6 * (rightmost - leftmost) || 0.1
  figures.intervals.x_range.setv({start: leftmost - margin, end: rightmost + margin})
}
const {start, end} = figures.intervals.x_range
const aside = 0.05 * (end - start)
named.below.setv({x: start + aside, visible: start + aside < -aside / 2})
named.above.setv({x: end - aside, visible: end - aside > 1 + aside / 2})
figures.intervals.title.text = `${percent} intervals for ${successes} of ${trials}`

// Coverage: above 1/2 the mirror image of what is below
const half = s.coverage[level.value][chosen][trials]
let held = ""
if (half) {
  const y = [...half, ...half.slice(0, -1).reverse()].map((c) => c / 10000)
  const x = y.map((_, i) => i / s.points)
  covered.data = {x, y, text: y.map((c, i) => `true share ${x[i]}: coverage ${c}`)}
  const least = Math.min(...y)
  held = ` Over all true shares drawn, such intervals hold the truth with a probability of ${least} or more.`
  figures.coverage.title.text = `Coverage of ${s.titles[chosen]}, n = ${trials}`
}
nominal.location = Number(level.value)

// The derivation, which may come later: it reads the controls anew
function explain() {
  const made = s.derivations[level.value][method.value][`${r.value} of ${trials_now()}`]
  if (made) {
    write(derivation, s.style + filled(s.forms[made[0]], s.slots[made[0]][made[1]]))
  } else if (method.value === "bootstrap") {
    write(derivation, "<p>Derivations are written beforehand for few trials only. Move n down to see one.</p>")
  } else {
    write(derivation, "<p>Derivations are written beforehand for few trials only. In a notebook this one is " +
      `<code>bt.interval("${method.value}", ${r.value}, ${trials_now()}, level="${level.value}").explain()</code>.</p>`)
  }
}
if (s.derivations) {
  explain()
} else if (!s.waiting) {
  s.waiting = true
  unsqueezed(s.squeezed).then((found) => {
    Object.assign(s, found)
    explain()
  }, () => { write(derivation, "<p>This browser is too old to show derivations.</p>") })
}

const [low, high] = both(chosen)
const beyond = [low < 0 ? "below 0" : "", high > 1 ? "above 1" : ""].filter((each) => each).join(" and ")
const name = chosen === "bootstrap" ? chosen : s.titles[chosen]
const share = s.shares[place] === `${successes}/${trials}` ? "" : ` (${s.shares[place]})`
write(summary, `${successes} of ${trials}${share}: the ${percent} ${name} interval reaches from ${words(chosen)}` +
  (beyond ? `; its part ${beyond} is impossible.` : ".") + held)
name_handles([r, n])
