"use strict";
(() => {
  const host = window.parent;
  const at = (id) => document.getElementById(id);
  const words = document.querySelector("main").dataset;
  const buttons = at("buttons");
  const patience = 60000; // ms: how long the program may take to pass an answer on and to say what came of it

  let to = "*"; // whom messages are for: the program's own origin, once it has answered
  let last = 0;
  let card = null;
  let ends = 0; // by this clock
  let secret = "";
  let program = {};
  const asked = new Map();

  const post = (m) => host.postMessage({ jsonrpc: "2.0", ...m }, to);
  const ask = (method, params) => new Promise((good, bad) => {
    const id = ++last;
    const late = setTimeout(() => { asked.delete(id); bad(new Error("late")); }, patience);
    asked.set(id, (m) => { clearTimeout(late); m.error || !m.result ? bad(new Error("refused")) : good(m.result); });
    post({ id, method, params });
  });

  // All that is drawn goes in by textContent.
  const add = (parent, tag, text, name) => {
    const e = document.createElement(tag);
    e.textContent = text;
    if (name) e.className = name;
    return parent.appendChild(e);
  };
  const say = (text, problem) => {
    at("said").textContent = text;
    at("said").classList.toggle("problem", !!problem);
  };
  const textOf = (r) => (r.content || []).filter((c) => c && c.type === "text").map((c) => String(c.text)).join("\n");
  const dataOf = (r) => (r._meta && r._meta["readback/card"]) || {};

  const draw = (d) => {
    at("title").textContent = words.title;
    at("name").textContent = d.to;
    at("number").textContent = d.number;
    for (const line of d.body) {
      const p = add(at("body"), "p", "");
      if (line.Folded) {
        p.className = "fold";
        add(p, "span", line.Folded, "mark");
        continue;
      }
      p.dir = "auto";
      for (const piece of line.Pieces || []) {
        if (piece.Mark) {
          const mark = add(p, "span", piece.Mark, "mark");
          mark.setAttribute("role", "img");
          mark.setAttribute("aria-label", piece.Label);
        } else {
          p.append(document.createTextNode(piece.Text));
        }
      }
      if (!p.firstChild) add(p, "br", "");
    }
    at("size").textContent = d.size;
    for (const why of d.reasons || []) add(at("reasons"), "li", why);
    for (const fact of d.about || []) add(at("about"), "p", fact);
    at("text").hidden = false;
    say("");
    at("instead").textContent = d.instead || "";
    at("instead").hidden = !d.instead;
    at("send").hidden = !!d.instead;
    if (!program.serverTools) {
      say(words.nocall, true);
      return;
    }
    secret = d.secret;
    buttons.hidden = false;
    over();
  };

  // over ends the card when the send's time is past.
  const over = () => {
    if (!secret) return;
    const left = ends - Date.now();
    if (left > 0) {
      setTimeout(over, Math.min(left, 60000));
      return;
    }
    end(words.late, true);
    look();
  };
  const end = (text, problem) => {
    secret = "";
    for (const part of ["buttons", "about", "instead"]) at(part).hidden = true;
    at("title").textContent = words.plain;
    say(text, problem);
    at("said").focus({ preventScroll: true });
  };
  // look says where the send stands by now.
  const look = () => ask("tools/call", { name: "check_send", arguments: { id: card.id } })
    .then((r) => { at("now").textContent = textOf(r); }, () => {});

  const answer = async (which, press) => {
    if (!secret || buttons.ariaBusy === "true" || !press.isTrusted) return;
    buttons.ariaBusy = "true";
    for (const b of buttons.children) b.disabled = true;
    say(words.busy);
    let r = null;
    try {
      r = await ask("tools/call", { name: "answer_send", arguments: { id: card.id, secret, answer: which } });
    } catch {
      // Whether it arrived is not known: it may be given once more.
    }
    buttons.ariaBusy = "false";
    for (const b of buttons.children) b.disabled = false;
    if (!secret) return; // its time ended meanwhile
    if (!r) {
      say(words.lost, true);
    } else if (!r.isError) {
      end(textOf(r));
      if (program.updateModelContext) ask("ui/update-model-context", { content: [{ type: "text", text: textOf(r) }] }).catch(() => {});
    } else if (dataOf(r).over) {
      end(textOf(r), true);
      look();
    } else {
      say(textOf(r), true);
    }
  };
  for (const b of buttons.children) b.addEventListener("click", (press) => answer(b.id, press));

  const theme = (c) => {
    if (c && (c.theme === "dark" || c.theme === "light")) document.documentElement.style.colorScheme = c.theme;
  };
  const told = {
    "ui/notifications/host-context-changed": theme,
    "ui/notifications/tool-cancelled": () => { if (!card) say(words.ended, true); },
    "ui/notifications/tool-result": (r) => {
      if (card || !r) return; // one card, one send
      card = dataOf(r);
      ends = Date.now() + card.left;
      card.secret ? draw(card) : say(textOf(r), r.isError);
    },
  };
  window.addEventListener("message", (e) => {
    const m = e.data;
    if (e.source !== host || !m || m.jsonrpc !== "2.0") return;
    if (m.method === undefined) {
      const done = asked.get(m.id);
      asked.delete(m.id);
      if (done) {
        if (to === "*" && e.origin !== "null") to = e.origin;
        done(m);
      }
    } else if (m.id === undefined) {
      if (Object.hasOwn(told, m.method)) told[m.method](m.params);
    } else if (m.method === "ping" || m.method === "ui/resource-teardown") {
      post({ id: m.id, result: {} });
    } else {
      post({ id: m.id, error: { code: -32601, message: "no such method" } });
    }
  });

  const grown = () => post({ method: "ui/notifications/size-changed", params: { height: Math.ceil(document.documentElement.getBoundingClientRect().height) } });
  ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "readback", version: "1" }, appCapabilities: { availableDisplayModes: ["inline"] } }).then((r) => {
    program = r.hostCapabilities || {};
    theme(r.hostContext);
    post({ method: "ui/notifications/initialized" });
    new ResizeObserver(grown).observe(document.documentElement);
  }, () => {});
})();
