package main

import (
	"fmt"
	"slices"

	"braid/scenarios"

	"github.com/alecthomas/kong"
)

// choice is a flag that takes one of the words of its enum tag. A word that is none of them is an error with the closest.
type choice string

// Decode implements kong.MapperValue.
func (c *choice) Decode(ctx *kong.DecodeContext) error {
	var word string
	if err := ctx.Scan.PopValueInto("word", &word); err != nil {
		return err
	}
	if words := ctx.Value.EnumSlice(); !slices.Contains(words, word) {
		return fmt.Errorf("unknown word %q%s", word, scenarios.DidYouMean(word, "expected one of", words))
	}
	*c = choice(word)
	return nil
}
