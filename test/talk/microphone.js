// The microphone of the tests: silence, and what is played into it.
(() => {
  let context, out;
  navigator.mediaDevices.getUserMedia = async () => {
    context = new AudioContext();
    out = context.createMediaStreamDestination();
    const ground = context.createConstantSource(); // a track that nothing flows into sends no packets
    ground.offset.value = 0;
    ground.connect(out);
    ground.start();
    await context.resume();
    return out.stream;
  };
  // said plays a sound to its end.
  window.said = async (wav) => {
    const sound = context.createBufferSource();
    sound.buffer = await context.decodeAudioData(Uint8Array.from(atob(wav), (c) => c.charCodeAt(0)).buffer);
    sound.connect(out);
    await new Promise((over) => { sound.onended = over; sound.start(); });
    return true;
  };
  // states is how the call stood, one after the other.
  window.states = [];
  addEventListener("DOMContentLoaded", () => {
    const call = document.querySelector("#call");
    if (call) new MutationObserver((all) => all.forEach(() => states.push(call.dataset.state))).observe(call, { attributeFilter: ["data-state"] });
  });
})();
