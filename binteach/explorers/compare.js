// The compare explorer: one cut through all rankings, and who wins there.
const s = state
let place = 0
if (slider) {
  place = nearest(s.k, slider.value, s.last)
  s.last = s.k[place]
  if (slider.value !== s.last) {
    slider.value = s.last
    return
  }
}
const count = s.names.length
const key = measure.value
const row = s.rows[key]
const at = (each) => each.fixed ? 0 : place

// The current points, named; a name to the right of its point, or to the left where room ends
for (const name of Object.keys(s.points)) {
  const p = s.points[name]
  const near = {x: [], y: [], text: [], align: [], dx: [], dy: []}
  for (let m = 0; m < count; m++) {
    const x = p.x[m][place], y = p.y[m][place]
    const known = x !== null && y !== null
    now[name][m].data = known ? {x: [x], y: [y], text: [p.text[m][place]]} : {x: [], y: [], text: []}
    if (known && p.label[place][m]) {
      // Below its point, and below the names of the points beside it
      const beside = near.x.filter((other, i) => Math.abs(other - x) < 0.25 && Math.abs(near.y[i] - y) < 0.05)
      near.dy.push(22 + 18 * beside.length)
      near.x.push(x)
      near.y.push(y)
      near.text.push(p.label[place][m])
      near.align.push(x > 0.6 ? "right" : "left")
      near.dx.push(x > 0.6 ? -14 : 14)
    }
  }
  labels[name].data = near
}

// The chosen measure
for (let m = 0; m < count; m++) {
  const ys = row.y[m], texts = row.text[m]
  const value = ys[at(row)]
  const text = `${row.title}: ${texts[at(row)]}`
  if (s.hard) {
    over[m].data = value === null ? {x: [], y: [], text: []} : {x: [m], y: [value], text: [text]}
  } else {
    const known = s.k.map((k, i) => i).filter((i) => ys[row.fixed ? 0 : i] !== null)
    over[m].data = {
      x: known.map((i) => s.k[i]), y: known.map((i) => ys[row.fixed ? 0 : i]),
      text: known.map((i) => texts[row.fixed ? 0 : i]),
    }
  }
  now.measure[m].data = value === null ? {x: [], y: [], text: []}
    : {x: [s.hard ? m : s.k[place]], y: [value], text: [text]}
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
    const decimal = r.decimal[m][here] ? ` <small>${r.decimal[m][here]}</small>` : ""
    const why = r.why[m][here] >= 0 ? ` <small>(${note(r.why[m][here])})</small>` : ""
    const best = ranks[m] === 1 && defined > 1 && first.length < count ? ` class="first"` : ""
    cells += `<td${best}>${r.text[m][here]}${decimal}${why}</td>` +
      `<td class="rank">${ranks[m] && defined > 1 ? ranks[m] + shared : ""}</td>`
  }
  let winner = first.map((m) => s.names[m]).join(" = ")
  if (!r.arrow) winner = "neither way is better"
  else if (!defined) winner = "nobody"
  else if (first.length === count) winner = "tie"
  else if (defined === 1) winner = `no contest: only ${winner} has a value`
  body.push(`<tr><th scope="row">${r.title}&nbsp;${r.arrow}</th>${cells}<td class="words">${winner}</td></tr>`)
}
const heads = s.names.map((name, m) =>
  `<th scope="col" colspan="2"><span style="color:${s.colours[m]}">${s.signs[m]}</span> ${name}` +
  `${s.heads[place][m] && !s.rows[keys[0]].fixed && group.value === "counts" ? `<br><small>${s.heads[place][m]}</small>` : ""}</th>`)
const where = s.hard || s.rows[keys[0]].fixed ? "" : ` (${s.k[place]} called positive)`
table.text = `<h3>Who wins? ${group_title}${where}</h3>` +
  `<table><thead><tr><th scope="col" class="words">Measure</th>${heads.join("")}` +
  `<th scope="col" class="words">Winner</th></tr></thead><tbody>${body.join("")}</tbody></table>` +
  `<p class="note">↑ larger is better, ↓ smaller is better. Beside a value stands the rank; 1= is a shared first.</p>` +
  notes.map((why, i) => `<p class="note">(${i + 1}) ${s.reasons[why]}</p>`).join("")

// The derivation
const written = s.derivations[key]
if (written) {
  const all = written[Number(model.value)]
  const [form, use] = all[all.length > 1 ? place : 0]
  derivation.text = s.style + `<h3>${s.names[Number(model.value)]}</h3>` + filled(s.forms[form], s.slots[form][use])
} else {
  derivation.text = `<h3>${row.title}</h3><p>There are too many cuts to write a derivation for each. ` +
    `In a notebook <code>bt.explain("${key}", cases, top=${s.k[place]})</code> shows it.</p>`
}

const said = s.tallies[group.value]
summary.text = `${s.sentences[place]} ${group_title}: ${said[said.length > 1 ? place : 0]}`
if (slider) name_handles([slider])
