// A call from the browser. What it says is the owner's voice; what this page shows of it comes from Readback's own participant of the room, and is drawn as plain words. It gives no
// answer to a draft: there is nothing to press for that.
"use strict";
(() => {
  const call = document.querySelector("#call");
  const words = call.dataset;
  const find = (name) => call.querySelector("[data-" + name + "]");
  const line = find("line"), press = find("press"), sound = find("sound"), again = find("again"), others = find("others"), draft = find("draft"), log = find("log"), said = find("said");
  const make = (tag, kind, text) => {
    const e = document.createElement(tag);
    if (kind) e.className = kind;
    if (text) e.textContent = text;
    return e;
  };

  // How long an invitation is good (as talk.Visit says), less what joining takes; how long Readback may take to come; and how many turns are kept.
  // One press of Talk may come as two, of a hand or of a key that is held: for so long none is the one that hangs up.
  const good = 110e3, comes = 30e3, kept = 200, same = 1000;

  let room, mic, awake, agent; // agent: the identity of Readback's participant
  let state = "ready", before = "talk", joined = false;
  const made = Date.now(); // when the invitation was, nearly
  let last = 0; // the number of the last message
  let shown = 0; // the number of the last draft that was shown
  let stage = ""; // of it; "" once it is over
  const over = new Set(["left", "handed", "not_left", "not_known", "withdrawn", "broken_off"]); // broken_off: what the page says where Readback no longer can

  // set says how things are.
  function set(to) {
    state = to;
    line.textContent = words["is_" + to];
    call.dataset.state = to;
  }

  // body draws lines as the page draws a text: words as they are, a mark in the place of what would not be seen.
  function body(into, lines) {
    for (const l of lines) {
      const p = make("p");
      if (l.folded !== undefined) {
        p.className = "fold";
        p.append(make("span", "mark", l.folded));
      } else {
        p.dir = "auto";
        for (const piece of l.pieces || []) {
          if (piece.m === undefined) {
            p.append(document.createTextNode(piece.t));
            continue;
          }
          const mark = make("span", "mark", piece.m);
          mark.setAttribute("role", "img");
          mark.setAttribute("aria-label", piece.l);
          p.append(mark);
        }
        if (!p.hasChildNodes()) p.append(make("br"));
      }
      into.append(p);
    }
  }

  function add(item) {
    const at = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    find("empty").hidden = true;
    said.append(item);
    while (said.children.length > kept) said.firstChild.remove();
    if (at) log.scrollTop = log.scrollHeight;
  }

  function note(what) {
    const item = make("li", "turn note");
    item.append(make("p", "", what));
    add(item);
  }

  // What Readback tells. Each is judged whole before any of it is drawn.
  const text = (s) => typeof s === "string";
  const count = (n) => Number.isSafeInteger(n) && n >= 0;
  const piece = (p) => p !== null && typeof p === "object" && (p.m === undefined ? text(p.t) : text(p.m) && text(p.l) && p.t === undefined);
  const drawn = (l) => l !== null && typeof l === "object" && (l.folded === undefined ? l.pieces === undefined || Array.isArray(l.pieces) && l.pieces.every(piece) : text(l.folded) && l.pieces === undefined);
  const kinds = {
    turn: {
      holds: (m) => (m.role === "caller" || m.role === "agent") && Array.isArray(m.lines) && m.lines.every(drawn) && (m.cut === undefined || m.cut === true),
      show(m) {
        const item = make("li", "turn " + m.role);
        item.append(make("p", "who", words[m.role]));
        const b = make("div", "body");
        body(b, m.lines);
        item.append(b);
        if (m.cut) item.append(make("p", "size", words.cut));
        add(item);
        if (over.has(state)) set("talk");
      },
    },
    draft: {
      holds: (m) => count(m.draft) && text(m.to) && text(m.number) && count(m.segments) && Array.isArray(m.lines) && m.lines.every(drawn),
      show(m) {
        find("to").textContent = m.to;
        find("number").textContent = m.number;
        find("body").replaceChildren();
        body(find("body"), m.lines);
        find("size").textContent = m.segments === 1 ? words.segment : words.segments.replace("%d", m.segments);
        draft.hidden = false;
        shown = m.draft;
        told("reading");
      },
    },
    stage: {
      holds: (m) => count(m.draft) && text(m.stage) && Object.hasOwn(words, "draft_" + m.stage),
      show(m) {
        if (stage && m.draft === shown) told(m.stage);
      },
    },
    others: {
      holds: (m) => count(m.count),
      show(m) {
        others.hidden = m.count === 0;
      },
    },
  };

  // told says how far the draft is, there and of the call.
  function told(to) {
    stands(to);
    set(to);
  }

  // loses takes the draft that is shown away: it may be over. After a no nothing goes; otherwise it may have had its yes.
  function loses() {
    told(stage === "no" ? "withdrawn" : "not_known");
    draft.hidden = true;
  }

  // stands shows how far the draft is. While it waits for its answer the list is not read out: a screen reader's voice, out of a loudspeaker, would say to the microphone what was said before,
  // and a yes may be in it.
  function stands(to) {
    stage = to;
    draft.dataset.stage = to;
    find("outcome").textContent = words["draft_" + to];
    log.setAttribute("aria-live", over.has(to) ? "polite" : "off");
    if (!over.has(to)) return;
    note(find("to").textContent + " · " + words["draft_" + to]);
    stage = "";
  }

  function receive(payload, from, _, topic) {
    if (!from || from.identity !== agent || from.kind !== livekit.ParticipantKind.AGENT || topic !== "readback" || payload.byteLength > 12 << 10) return;
    let m;
    try {
      m = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    } catch {
      return;
    }
    if (m === null || typeof m !== "object" || !count(m.n) || m.n <= last || !Object.hasOwn(kinds, m.kind) || !kinds[m.kind].holds(m)) return;
    const gap = m.n > last + 1;
    if (gap) note(words.missing);
    if (stage && (m.draft > shown || gap && m.draft === undefined)) loses(); // the end of the draft was missed, or may have been
    last = m.n;
    kinds[m.kind].show(m);
  }

  // meet finds Readback among those in the room, and takes its sound. Nobody else is heard: the server may have other agents, whose names are not ours.
  function meet(p) {
    if (p.kind !== livekit.ParticipantKind.AGENT || !p.identity.startsWith("readback-") || agent !== undefined && p.identity !== agent) return;
    agent = p.identity;
    for (const track of p.trackPublications.values()) hear(track, p);
  }

  function hear(track, p) {
    if (p.identity === agent && track.kind === livekit.Track.Kind.Audio) track.setSubscribed(true);
  }

  function play(track, _, p) {
    if (p.identity !== agent || track.kind !== livekit.Track.Kind.Audio) return;
    find("speaker").append(track.attach());
    if (state === "connecting") set("talk");
    if (before === "connecting") before = "talk"; // and it is reconnecting
    clearTimeout(waiting);
  }
  let waiting;

  // ends ends the call, for a reason, and offers another.
  function ends(why) {
    if (press.hidden) return;
    clearTimeout(waiting);
    clearTimeout(stale);
    if (room) room.disconnect();
    if (mic) mic.stop();
    find("speaker").replaceChildren();
    if (awake) awake.release().catch(() => {});
    // After a no nothing goes. Otherwise what was told last need not be all: it may have been heard whole since, and have had its yes.
    if (stage) stands(stage === "no" ? "withdrawn" : stage === "reading" ? "broken_off" : "not_known");
    set(why);
    log.setAttribute("aria-live", "off");
    const here = document.activeElement === press;
    sound.hidden = others.hidden = press.hidden = true;
    again.hidden = false;
    if (here) line.focus();
  }

  async function start() {
    if (!navigator.mediaDevices || !window.RTCPeerConnection) return ends("insecure");
    press.textContent = words.hang_up;
    press.classList.replace("yes", "freeze");
    press.setAttribute("aria-disabled", "true");
    setTimeout(() => press.removeAttribute("aria-disabled"), same);
    set("asking");
    try {
      mic = await livekit.createLocalAudioTrack({ echoCancellation: true, noiseSuppression: true, autoGainControl: true });
    } catch (e) {
      return ends(e.name === "NotAllowedError" || e.name === "SecurityError" ? "refused" : "no_microphone");
    }
    if (press.hidden) return mic.stop(); // hung up meanwhile
    set("connecting");
    const { RoomEvent, DisconnectReason: reason } = livekit;
    room = new livekit.Room();
    room.on(RoomEvent.ParticipantConnected, meet);
    room.on(RoomEvent.TrackPublished, hear);
    room.on(RoomEvent.TrackSubscribed, play);
    room.on(RoomEvent.TrackUnsubscribed, (track) => track.detach().forEach((e) => e.remove()));
    room.on(RoomEvent.DataReceived, receive);
    room.on(RoomEvent.ParticipantDisconnected, (p) => p.identity === agent && ends("ended"));
    room.on(RoomEvent.Disconnected, (why) => joined && ends(why === reason.PARTICIPANT_REMOVED || why === reason.ROOM_DELETED ? "ended" : "lost"));
    room.on(RoomEvent.Reconnecting, () => {
      if (press.hidden || state === "reconnecting") return;
      before = state;
      set("reconnecting");
    });
    room.on(RoomEvent.Reconnected, () => !press.hidden && state === "reconnecting" && set(before));
    room.on(RoomEvent.AudioPlaybackStatusChanged, () => { sound.hidden = room.canPlaybackAudio; });
    mic.mediaStreamTrack.addEventListener("ended", () => ends("no_microphone"));
    try {
      await room.connect(words.server, words.ticket, { autoSubscribe: false });
      joined = true;
      for (const p of room.remoteParticipants.values()) meet(p);
      await room.localParticipant.publishTrack(mic, { source: livekit.Track.Source.Microphone, audioPreset: livekit.AudioPresets.speech, dtx: false, red: false });
    } catch (e) {
      const refused = e.reason === livekit.ConnectionErrorReason.NotAllowed; // of a token that is over, as of one that it does not know
      return ends(refused ? Date.now() - made < good ? "not_let_in" : "expired" : joined ? "lost" : "unreachable");
    }
    clearTimeout(stale);
    if (state === "connecting") waiting = setTimeout(() => ends("nobody"), comes);
    if (!navigator.wakeLock || press.hidden) return;
    awake = await navigator.wakeLock.request("screen").catch(() => undefined);
    if (press.hidden && awake) awake.release().catch(() => {}); // hung up meanwhile
  }

  livekit.setLogLevel("silent");
  press.addEventListener("keydown", (e) => e.repeat && e.preventDefault());
  press.addEventListener("click", () => (state === "ready" ? start() : press.ariaDisabled !== "true" && ends("hung_up")));
  sound.addEventListener("click", () => room.startAudio());
  addEventListener("pagehide", () => ends("hung_up"));
  const stale = setTimeout(() => ends("expired"), good);
  find("no-call").hidden = true;
  find("controls").hidden = false;
  set("ready");
})();
