// The losses explorer: the curves, the cases on one of them, and their average.
const s = state
const at = {gamma: nearest(s.gammas, gamma.value, gamma.value), alpha: nearest(s.alphas, alpha.value, alpha.value)}
const keys = Object.keys(s.losses)

// The boxes and the trait say the same: the one that has changed goes first.
const ticked = keys.filter((_, place) => boxes.active.includes(place))
if (ticked.join() !== kept.tags.join()) {
  if (cb_obj === kept) boxes.active = kept.tags.map((name) => keys.indexOf(name))
  else kept.tags = ticked
  return
}

const key = chosen.value
const variant = (name) => s.losses[name].slider ? at[s.losses[name].slider] : 0
const own = s.losses[key]
const values = own.dots[variant(key)]
const average = own.average[variant(key)]
const average_text = own.average_text[variant(key)]
const note = own.notes[variant(key)]

// The height of the pictures: the highest dot must be seen.
const highest = Math.max(s.lowest_top, 1.1 * Math.max(0, ...values.map((v) => v[0])))
figures.y1.y_range.end = figures.y0.y_range.end = highest
figures.y1.y_range.start = figures.y0.y_range.start = -0.03 * highest

// Curves
for (const label of ["1", "0"]) {
  for (const name of keys) {
    const line = curves[label].lines[name], item = curves[label].items[name]
    const curve = s.losses[name].curves[variant(name)]
    line.visible = item.visible = Boolean(curve) && (name === key || kept.tags.includes(name))
    if (!curve) continue
    line.data_source.data = {x: curve[label][0], y: curve[label][1]}
    line.glyph.line_width = name === key ? 5 : 2.5
    const with_note = s.losses[name].notes[variant(name)]
    item.label = {value: s.losses[name].title.replace(" loss", "") + (with_note ? `, ${with_note}` : "")}
  }
}

// The cases, on the curve and as bars
for (const label of [1, 0]) {
  const those = values.map((_, i) => i).filter((i) => s.label[i] === label)
  const common = {
    y: those.map((i) => values[i][0]), loss: those.map((i) => values[i][1]),
    case: those.map((i) => s.name[i]), score: those.map((i) => s.score[i]),
    name: those.map((i) => s.short[i]),
  }
  dots[label].data = {x: those.map((i) => s.x[i]), ...common}
  bars[label].data = {x: those.map((i) => s.place[i]), ...common}
}
const tallest = Math.max(0, ...values.map((v) => v[0]))
figures.cases.y_range.end = 1.15 * tallest || 1
mean.data = average === null ? {x: [], y: []} : {x: [0.3, s.n + 0.7], y: [average, average]}

// All averages
const rows = keys.map((name) => {
  const loss = s.losses[name]
  return `<tr${name === key ? ' class="chosen"' : ""}><td>${name === key ? "▸ " : ""}${loss.title}</td>` +
    `<td>${loss.notes[variant(name)]}</td><td>${loss.average_text[variant(name)]}</td></tr>`
})
write(averages, `<h3>Average over the cases</h3><table><thead><tr><th scope="col">loss</th>` +
  `<th scope="col">with</th><th scope="col">average</th></tr></thead><tbody>${rows.join("")}</tbody></table>`)

// The sentence, how to ask Python, and the derivation
write(called, own.reason ? "" : `${own.remark}<p>In Python: <code>${own.calls[variant(key)]}</code></p>`)
const title = own.title + (note ? `, ${note}` : "")
if (own.reason) {
  write(summary, `${title}: undefined, because ${own.reason}.`)
} else {
  const worst = values.map((_, i) => i).filter((i) => tallest - values[i][0] <= 1e-12 * tallest)
  const first = worst[0]
  const listed = worst.slice(0, 3).map((i) => escaped(s.name[i])).join(", ")
  const costs = tallest === 0 ? "No case costs anything."
    : worst.length > 3 ? `${worst.length} cases cost most: ${values[first][1]} each.`
    : worst.length > 1 ? `Cases ${listed} cost most: ${values[first][1]} each.`
    : `Case ${listed} (really ${s.label[first] ? "+" : "−"}, score ${s.score[first].replace("-", "−")}) costs most: ${values[first][1]}.`
  const cases = s.n === 1 ? "1 case" : `${s.n} cases`
  const equals = average_text.startsWith("≈") ? "" : "= "
  write(summary, `${title}: average over ${cases} ${equals}${average_text}. ${s.all ? "" : "Of those drawn: "}${costs}`)
}
if (derivation.tags.includes("live")) await_answer(derivation, `${key} ${variant(key)}`, s.no_answer)
else write(derivation, own.undefined || (derivation_of(s, key, variant(key)) ?? s.no_derivation))
name_handles([gamma, alpha])
