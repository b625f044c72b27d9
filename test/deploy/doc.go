// Package deploy holds every file of deploy/ to what reads it: Compose's own loader, Dockerfile's parser, Kubernetes' types and its rules for pods, systemd's own checks, LiveKit's messages and its real
// server, the real ntfy, and the program itself, which is built of exactly the files that the image is built of.
//
// It is a module of its own: what these tests need is more than all that the program needs.
package deploy
