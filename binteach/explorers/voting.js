// The voting explorer: the best x models averaged, and what each measure says of them.
const s = state
const x = slider.value
const place = x - 1
line.location = x

const body = []
const notes = []
for (const [key, row] of Object.entries(s.rows)) {
  const y = row.y[place]
  now[key].data = point(x, y, `x = ${x}: ${row.said[place]}`)
  const value = (i) => {
    const [text, digits] = row.columns[i]
    return digits ? `${text} <small>${digits}</small>` : text
  }
  const here = row.ranks[place] === 1 ? "<b>peak</b>" : row.ranks[place] ? `place ${row.ranks[place]}` : ""
  const most = row.peaks.length ? value(row.peaks[0] - 1) : ""
  body.push(`<tr><th scope="row">${row.title}&nbsp;${row.arrow}</th><td>${value(place)}</td>` +
    `<td>${here}</td><td>${row.where}</td><td>${most}</td></tr>`)
  if (row.reason) notes.push(`<p class="note">${row.title}: ${row.reason}</p>`)
}
const heads = ["Measure", `at x = ${x}`, `among all ${s.names.length}`, "peak at x =", "value there"]
write(table, `<h3>Value and peak</h3><table><thead><tr>` +
  heads.map((head) => `<th scope="col">${head}</th>`).join("") +
  `</tr></thead><tbody>${body.join("")}</tbody></table>` + notes.join(""))

curve.data = s.roc[place]
write(chosen, `<h3>The models and their AUC, best first</h3><p class="note">${source}</p><ol>` +
  s.names.map((name, i) => `<li class="${i < x ? "in" : "out"}">${i < x ? "✓ " : ""}${name} ` +
    `<small>${s.auc[i]}</small></li>`).join("") + `</ol>`)

write(summary, s.sentences[place])
name_handles([slider])
