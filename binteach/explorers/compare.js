// The compare explorer: one cut through all rankings, and who wins there.
const s = state
const place = slider ? place_of(slider, s) : 0
if (place === null) return
const count = s.names.length
const key = measure.value
const row = s.rows[key]
const at = (each) => each.fixed ? 0 : place
// A value as it fits into a table, and its digits; it may be in digits already, or undefined.
const written = (text) => text.includes("/") ? in_columns(read(text)) : [text, ""]

// The current points, and their names where they hide least: in parts of the axes, a letter is
// about 0.025 wide and a line 0.05 high
const sides = [[1, -1], [-1, 1], [-1, -1], [1, 1]] // right below, left above, ...
for (const name of Object.keys(s.points)) {
  const p = s.points[name]
  const near = {x: [], y: [], text: [], align: [], dx: [], dy: []}
  const all = s.names.map((_, m) => m)
  const known = all.filter((m) => p.x[m][place] !== null && p.y[m][place] !== null)
  const taken = known.map((m) => [p.x[m][place] - 0.03, p.x[m][place] + 0.03, p.y[m][place] - 0.03, p.y[m][place] + 0.03])
  for (const m of all) {
    now[name][m].data = known.includes(m)
      ? {x: [p.x[m][place]], y: [p.y[m][place]], text: [p.text[m][place]]} : {x: [], y: [], text: []}
  }
  // From the lowest point up: of two that are close, the lower has its name below
  const named = known.filter((m) => p.label[place][m]).sort((a, b) => p.y[a][place] - p.y[b][place])
  for (const m of named) {
    const x = p.x[m][place], y = p.y[m][place], text = p.label[place][m]
    const boxes = sides.map(([right, up]) => {
      const ends = [x + 0.031 * right, x + (0.031 + 0.025 * text.length) * right]
      const low = up > 0 ? y + 0.02 : y - 0.075
      return [Math.min(...ends), Math.max(...ends), low, low + 0.055]
    })
    const cost = boxes.map(([x0, x1, y0, y1]) =>
      20 * [-0.05 - x0, x1 - 1.05, -0.05 - y0, y1 - 1.05].reduce((sum, out) => sum + Math.max(0, out), 0) +
      taken.filter((b) => x0 < b[1] && b[0] < x1 && y0 < b[3] && b[2] < y1).length)
    const best = cost.indexOf(Math.min(...cost))
    const [right, up] = sides[best]
    taken.push(boxes[best])
    near.x.push(x)
    near.y.push(y)
    near.text.push(text)
    near.align.push(right > 0 ? "left" : "right")
    near.dx.push(14 * right)
    near.dy.push(up > 0 ? -10 : 24)
  }
  labels[name].data = near
}

// The chosen measure over all cuts; a tie keeps a model at the nearest cut that it has
const by_counts = s.groups.counts[1].includes(key)
for (let m = 0; m < count; m++) {
  const xs = s.hard ? [m] : by_counts ? s.own[m] : s.k
  const ys = xs.map((x, i) => row.y[m][row.fixed ? 0 : i])
  const texts = xs.map((x, i) => {
    const text = row.text[m][row.fixed ? 0 : i]
    return `${row.title}: ${text.includes("/") ? with_digits(read(text)) : text}`
  })
  const pick = (places) => {
    const known = places.filter((i) => ys[i] !== null)
    return {x: known.map((i) => xs[i]), y: known.map((i) => ys[i]), text: known.map((i) => texts[i])}
  }
  over[m].data = pick(xs.map((x, i) => i))
  now.measure[m].data = pick([place])
}
if (over_figure.title.text !== row.title) {
  over_figure.title.text = row.title
  over_figure.left[0].axis_label = row.short
  over_figure.y_range.start = row.low
  over_figure.y_range.end = row.high
}

// The table: who wins under which measure
const [group_title, keys] = s.groups[group.value]
const notes = []
const note = (why) => {
  if (!notes.includes(why)) notes.push(why)
  return notes.indexOf(why) + 1
}
const body = []
for (const each of keys) {
  const r = s.rows[each], here = at(r), ranks = r.ranks[here]
  const first = ranks.map((rank, m) => m).filter((m) => ranks[m] === 1)
  const defined = ranks.filter((rank) => rank > 0).length
  let cells = ""
  for (let m = 0; m < count; m++) {
    const shared = ranks.filter((rank) => rank === ranks[m]).length > 1 ? "=" : ""
    const [value, decimal] = written(r.text[m][here])
    const why = r.why[m][here] >= 0 ? ` <small>(${note(r.why[m][here])})</small>` : ""
    const best = ranks[m] === 1 && defined > 1 && first.length < count ? ` class="first"` : ""
    cells += `<td${best}>${value}${decimal ? ` <small>${decimal}</small>` : ""}${why}</td>` +
      `<td class="rank">${ranks[m] && defined > 1 ? ranks[m] + shared : ""}</td>`
  }
  let winner = first.map((m) => s.names[m]).join(" = ")
  if (!r.arrow) winner = "neither way is better"
  else if (!defined) winner = "nobody"
  else if (first.length === count) winner = "tie"
  else if (defined === 1) winner = `no contest: only ${winner} has a value`
  body.push(`<tr><th scope="row">${r.title}&nbsp;${r.arrow}</th><td class="words">${winner}</td>${cells}</tr>`)
}
const heads = s.names.map((name, m) =>
  `<th scope="col" colspan="2"><span style="color:${s.colours[m]}">${s.signs[m]}</span> ${name}` +
  `${s.heads[place][m] && !s.rows[keys[0]].fixed && group.value === "counts" ? `<br><small>${s.heads[place][m]}</small>` : ""}</th>`)
const where = s.hard || s.rows[keys[0]].fixed ? "" : ` (${s.k[place]} called positive)`
const level = group.value === "counts" && s.own.every((own) => own[place] === s.k[place]) && !s.hard
  ? `<p class="note">All models call equally many positive here: who finds more of the positives has fewer false alarms ` +
    `too, so these measures agree. Only mutual information may differ; it asks how much a call tells, not whether it is ` +
    `right.</p>` : ""
write(table, `<h3>Who wins? ${group_title}${where}</h3>` +
  `<table class="wins${count > 3 ? " many" : ""}"><thead><tr><th scope="col" class="words">Measure</th>` +
  `<th scope="col" class="words">Winner</th>${heads.join("")}</tr></thead><tbody>${body.join("")}</tbody></table>` +
  `<p class="note">↑ larger is better, ↓ smaller is better. Beside a value stands the rank; 1= is a shared first.</p>` +
  level + notes.map((why, i) => `<p class="note">(${i + 1}) ${s.reasons[why]}</p>`).join(""))

// The derivation; those that were written beforehand are unpacked when the page is ready
s.explain = () => {
  const all = s.derivations[key]
  const [form, use] = all ? all[Number(model.value)][all[0].length > 1 ? place : 0] : []
  write(derivation, all
    ? s.style + `<h3>${s.names[Number(model.value)]}</h3>` + filled(s.forms[form], s.slots[form][use])
    : `<h3>${row.title}</h3><p>There are too many cuts to write a derivation for each. ` +
      `In a notebook <code>bt.explain("${key}", cases, top=${s.k[place]})</code> shows it.</p>`)
}
keep_height(derivation, key)
if (s.derivations) {
  s.explain()
} else if (!s.waiting) {
  s.waiting = true
  unsqueezed(s.squeezed).then((found) => {
    Object.assign(s, found)
    s.explain()
  }, () => { write(derivation, "<p>This browser is too old to show derivations.</p>") })
}

// What the slider moves is said first, then what the table shows
const said = (name) => {
  const tallies = s.tallies[name]
  const stays = tallies.length === 1 && !s.hard ? ", the same at every cut" : ""
  return `${s.groups[name][0]}${stays}: ${tallies[tallies.length > 1 ? place : 0]}`
}
const moving = !s.hard && s.rows[keys[0]].fixed ? [said("counts")] : []
write(summary, [s.sentences[place], ...moving, said(group.value)].join(" "))
if (slider) name_handles([slider])
