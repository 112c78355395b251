// What a card needs and the widgets do not have: Enter checks, the arrow keys choose an option,
// replies are read out, and the focus goes to the field of the question that is turned to.
(() => {
  const here = document.currentScript?.closest(".jp-OutputArea") ?? document.body;
  if (here.binteachCards) return;
  here.binteachCards = true;
  const INPUTS = ".binteach-answer input, .binteach-answer textarea";
  const PATIENCE = 2000; // milliseconds that a copy may come after its reply
  let cards = 0;

  const press = (card, event) => {
    const entered = event.key === "Enter" && !event.shiftKey && !event.isComposing;
    if (entered && event.target.matches(INPUTS)) {
      event.preventDefault();
      // Python hears of what was typed before it hears of the button.
      event.target.dispatchEvent(new Event("change", { bubbles: true }));
      card.querySelector(".binteach-check").click();
    }
    // Otherwise the notebook takes letters and arrows for commands.
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  };

  // A region is only read out if it is there before its words are.
  const announce = (region) => {
    region.setAttribute("role", "status");
    region.setAttribute("aria-live", "polite");
    for (const inner of region.querySelectorAll("[role=status]")) inner.removeAttribute("role");
  };

  // Every check renews a copy of its question, which the notebook keeps; unless it cannot.
  const isLost = (card) => {
    const latest = (found) => Math.max(...[...found].map((each) => Number(each.dataset.checks)));
    const copies = here.querySelectorAll(".binteach-kept");
    return copies.length > 0 && latest(card.querySelectorAll(".unkept")) > latest(copies);
  };
  const warn = (card) => {
    clearTimeout(card.binteachWaits);
    const tell = () => card.classList.toggle("binteach-lost", isLost(card));
    if (isLost(card)) card.binteachWaits = setTimeout(tell, PATIENCE);
    else tell();
  };

  // Wide tables and formulas are scrolled by keyboard, too.
  const reach = (wide) => {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
  };

  const prepare = (card) => {
    if (!card.binteachName) {
      card.binteachName = `binteach-card-${++cards}-${Date.now()}`;
      card.addEventListener("keydown", (event) => press(card, event), true);
    }
    card.querySelectorAll(".binteach-said").forEach(announce);
    card.querySelectorAll(".wide, .chain").forEach(reach);
    warn(card);
    const asked = card.querySelector("[data-question]");
    const inputs = [...card.querySelectorAll(INPUTS)];
    const first = inputs[0] ?? card.querySelector(".binteach-hint");
    // It may still be being drawn.
    if (!asked || !first || inputs.length !== Number(asked.dataset.inputs)) return;
    const statement = asked.querySelector("p");
    statement.id = `${card.binteachName}-statement`;
    for (const input of inputs) {
      if (input.type === "radio") input.name = card.binteachName; // one group, for the arrow keys
      input.setAttribute("aria-describedby", statement.id);
    }
    const group = card.querySelector(".binteach-answer .widget-radio-box");
    if (group) {
      group.setAttribute("role", "radiogroup");
      group.setAttribute("aria-labelledby", statement.id);
    }
    if (card.binteachShown !== asked) {
      const turned = card.binteachShown !== undefined;
      card.binteachShown = asked;
      const active = document.activeElement;
      if (turned && (active === document.body || card.contains(active))) {
        first.focus();
        card.scrollIntoView({ block: "nearest" });
      }
    }
  };

  const look = () => here.querySelectorAll(".binteach-live").forEach(prepare);
  look();
  new MutationObserver(look).observe(here, { childList: true, subtree: true });
  new ResizeObserver(look).observe(here);
})();
