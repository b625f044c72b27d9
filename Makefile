# What a developer types. CI calls `make lint` and `make test`.

GOLANGCI_VERSION = v2.15.0
BIN = $(CURDIR)/.cache/bin

.PHONY: build test testbed lint bench bench-voice fuzz consent silero livekit livekit-rooms livekit-pages

build:
	CGO_ENABLED=0 go build -trimpath -o bin/readback ./cmd/readback

# Everything, with the race detector; whole calls, which a real recogniser hears, last and by themselves. -p 2: packages that start servers and clients share two cores.
# SQLite, translated from C, is left uninstrumented, which has the store's tests take a fraction of the time: races in our code, the driver and database/sql are found as before.
# Where no Asterisk and no ntfy can be had (exit 3: not a Debian), what needs them is left out, and that is said first.
test:
	@testbed/install.sh || test $$? -eq 3
	go test -race -gcflags=modernc.org/sqlite/lib=-race=false -p 2 -timeout 25m $$(go list ./... | grep -v /test/call$$)
	go test -count=1 -timeout 10m ./test/call

# What needs a real LiveKit server, whose build, once into .cache/livekit, takes six minutes of one processor: so `make test` leaves these out. Twenty calls at once by themselves, and else two
# packages at a time: they are calls, which wait more than they work, and which a machine that is too busy makes worse. test/deploy is a module of its own, for what reads Compose files and
# Kubernetes manifests is large.
livekit livekit-rooms livekit-pages: export READBACK_LIVEKIT = 1
livekit livekit-rooms livekit-pages: export CGO_ENABLED = 0
livekit:
	testbed/livekit.sh
	go test -count=1 -timeout 15m -run TwentyCalls ./test/workers
	$(MAKE) -j 2 livekit-rooms livekit-pages

livekit-rooms:
	go test -count=1 -parallel 4 -timeout 15m ./test/room
	go test -count=1 -timeout 15m -skip TwentyCalls ./test/workers
	go test -count=1 -timeout 10m -run InRooms ./test/hostile
	cd test/deploy && go test -count=1 -timeout 20m .

livekit-pages:
	go test -count=1 -timeout 15m ./test/talk
	go test -count=1 -timeout 10m -run 'Call|Room' ./test/browser

# A real Asterisk, a real ntfy and a real LiveKit server in .cache, for the tests that speak to them; they call these scripts themselves.
testbed:
	testbed/install.sh
	testbed/livekit.sh

lint: $(BIN)/golangci-lint-$(GOLANGCI_VERSION)
	test -z "$$(gofmt -l $$(git ls-files '*.go'))"
	go mod tidy -diff
	go vet ./...
	cd test/deploy && go mod tidy -diff && go vet ./...
	$(BIN)/golangci-lint-$(GOLANGCI_VERSION) run ./...

$(BIN)/golangci-lint-$(GOLANGCI_VERSION):
	GOBIN=$(BIN) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(BIN)/golangci-lint $@

# Ratios against a baseline in the same run, as a table.
bench:
	go run ./test/bench

# The same for calls, through a real Asterisk, up to a hundred at once, and in rooms of a real LiveKit server: ten minutes and two cores that do nothing else.
bench-voice:
	testbed/livekit.sh
	go run ./test/bench -only voice
	go run ./test/bench -only rooms

# Each fuzz target for half a minute.
fuzz:
	@set -e; for pkg in $$(go list ./...); do \
	  for f in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
	    echo "$$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime 30s $$pkg; \
	  done; \
	done

# How often the judge of a spoken answer says yes where somebody said no, or something else, and how many a yes it misses, for each public set and our own.
consent:
	go test -count=1 -v -run '^TestInvariant10Measured$$' ./voice/consent

# The Silero detector, which needs a C compiler, under the tag silero, beside our own on the same sounds. Where its library cannot be had (exit 3), it is left out.
silero:
	voice/media/silero/install.sh || test $$? -eq 3
	CGO_ENABLED=1 go vet -tags silero ./cmd/readback/parts
	CGO_ENABLED=1 go test -count=1 -v -tags silero ./voice/media/silero
	CGO_ENABLED=1 go test -count=1 -v -tags silero -run Detector ./cmd/readback/parts
