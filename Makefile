# braid is pure Go: every target needs Go alone.
export CGO_ENABLED := 0

.PHONY: all build test bench lint

all: build lint test

# The program, as ./braid.
build:
	go build -o braid ./cmd/braid

test:
	go test ./...

# Speed and memory, with allocations. BENCH picks benchmarks by a regular expression.
BENCH ?= .
bench:
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

lint:
	go vet ./...
	go tool staticcheck ./...
