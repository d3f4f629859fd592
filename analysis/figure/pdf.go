package figure

import (
	"strings"

	"braid/analysis/label"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// pdfCanvas is a PDF canvas that takes text in UTF-8. The canvas below embeds fonts in the encoding of code page 1252, and
// writes the bytes of a text as they are.
type pdfCanvas struct {
	*vgpdf.Canvas
}

// FillString implements vg.Canvas.
func (c pdfCanvas) FillString(f font.Face, at vg.Point, text string) {
	var b strings.Builder
	for _, r := range text {
		if code, ok := charmap.Windows1252.EncodeRune(r); ok {
			b.WriteByte(code)
		} else {
			b.WriteByte('?') // printable leaves none
		}
	}
	c.Canvas.FillString(f, at, b.String())
}

// printable writes every character that not all formats can show, as in a URL: those outside of code page 1252, and those
// that control.
func printable(s string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "?") {
		_, ok := charmap.Windows1252.EncodeRune(r)
		if text := string(r); !ok || r < ' ' || r >= 0x7F && r < 0xA0 {
			b.WriteString(label.ASCII(text))
		} else {
			b.WriteString(text)
		}
	}
	return b.String()
}
