export { AudioPresets, ConnectionErrorReason, DisconnectReason, ParticipantKind, Room, RoomEvent, Track, createLocalAudioTrack, setLogLevel } from "livekit-client";
