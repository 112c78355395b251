// The quota explorer: so many cases can be checked, and everything that follows from it.
const s = state
const place = place_of(slider, s)
if (place === null) return
const j = s.k[place]

keep_height(derivation, measure.value)

// Points and lines
now.hit_rate.data = point(j, s.hit_rate[place], s.hit_rate_text[place])
now.qrecall.data = point(j, s.qrecall[place], s.qrecall_text[place])
now.area.data = now.qrecall.data
lines[0].location = j
lines[1].location = j

// The areas are summed up to the quota; the rest is veiled
for (const [kind, areas_of] of Object.entries(shades)) {
  for (const area of areas_of) area.visible = shade.value === "all" || shade.value === kind
}
veil.data = {left: shade.value === "nothing" ? [] : [j + 0.5]}

// The decile in which the quota ends
const decile = s.decile[place]
const lift = decile ? s.decile_lift[decile - 1] : null
if (s.drawn !== decile) {
  s.drawn = decile
  now.decile.data = point(decile, lift, s.decile_text[decile - 1])
}

// Two densities: positives left of the line are missed, negatives right of it are false alarms
const grid = density.x, last = grid.length - 1
const line = s.line[place] !== null ? s.line[place] : j === 0 ? grid[last] : grid[0]
lines[2].location = line
function side(heights, is_in) {
  const x = [], high = []
  for (let i = 0; i < heights.length; i++) {
    if (is_in(grid[i])) {
      x.push(grid[i])
      high.push(heights[i])
    }
    if (i < last && grid[i] < line && line < grid[i + 1]) {
      x.push(line)
      high.push(heights[i] + (heights[i + 1] - heights[i]) * (line - grid[i]) / (grid[i + 1] - grid[i]))
    }
  }
  return {x, low: x.map(() => 0), high}
}
errors.fn.data = side(density.positive, (x) => x <= line)
errors.fp.data = side(density.negative, (x) => x >= line)

// The measures at this quota
const head = (cells) => "<thead><tr>" + cells.map((c) => `<th scope="col">${c}</th>`).join("") + "</tr></thead>"
write(numbers, "<h3>At this quota</h3><table>" +
  head(["measure", "value", "numbers", "random", "optimal"]) + "<tbody>" +
  s.numbers[place].map(([name, value, work, random, best]) =>
    `<tr><th scope="row">${name}</th><td class="value">${value}</td><td>${work}</td>` +
    `<td>${random}</td><td>${best}</td></tr>`).join("") + "</tbody></table>" +
  `<p class="key">α and β as in the paper, Eq. 16 and 17; elsewhere a false alarm is the error of type I.</p>`)

// The ranking with the line between two rows, and the table of the areas
const places = s.every.length ? s.every : s.shown[place]
const cut = '<tr class="cut"><td colspan="5">checked ↑ &nbsp; ↓ not checked</td></tr>'
const ranked = [], summed = []
let ties = false, before = 0
for (const at of places) {
  const row = s.rows[at]
  if (at > before + 1) {
    const left_out = `${at - before - 1} more`
    ranked.push(`<tr class="gap"><td colspan="5">⋮ ${left_out}</td></tr>`)
    summed.push(`<tr class="gap"><td colspan="${row.areas.length}">⋮ ${left_out}</td></tr>`)
  }
  if (before === j) ranked.push(cut)
  before = at
  const kind = at <= j ? "up" : "down"
  const cells = row.ranking.map((c) => `<td>${c}</td>`)
  if (row.tie) {
    ties = true
    cells[4] = `<td class="${row.tie}" title="${row.why} tied cases are positive">= ${row.ranking[4]}</td>`
  }
  ranked.push(`<tr class="${kind}">${cells.join("")}</tr>`)
  summed.push(`<tr class="${at === j ? "now" : kind}">` + row.areas.map((c) => `<td>${c}</td>`).join("") + "</tr>")
}
if (j === s.n) ranked.push(cut)
write(ranking, "<h3>Ranking</h3><table>" + head(["place", "case", "class", "score", "t[k]"]) +
  `<tbody>${ranked.join("")}</tbody></table>` + (ties
  ? '<p class="key"><b>=</b> tied: each place counts as the share of positives among the tied cases (Eq. 5).</p>' : ""))
const total = (name, sums) =>
  `<tr><td colspan="5">${name}</td>` + sums.map((c) => `<td>${c}</td>`).join("") + "</tr>"
write(areas, s.sums.length === 0 ? `<h3>Areas of PEM</h3><p>${s.pem}</p>`
  : "<h3>Areas of PEM (Table 5)</h3><table>" +
    head(["j", "t[j]", "Qrecall", "random", "optimal", "S₁", "S₂", "S₃"]) +
    `<tbody>${summed.join("")}</tbody><tfoot>` + total(`sum of the first ${j}`, s.sums[place]) +
    total(`sum of all ${s.n}`, s.sums[s.sums.length - 1]) + `</tfoot></table><p><b>${s.pem}</b></p>`)

// In words
write(people, s.people[place])
write(summary, s.sentence[place])

// The derivation
write(derivation, derivation_of(s, measure.value, place) ?? s.no_derivation)
name_handles([slider])
