package figure

import (
	"bytes"
	"fmt"
	"io"
	"regexp"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// svgCanvas is an SVG canvas whose text keeps its place in whatever font the reader has: it names several families, and
// says how long each text is, so that viewers fit it (SVG 1.1, section 10.5, textLength). The canvas below names one
// family, which few machines have, and no lengths.
type svgCanvas struct {
	*vgsvg.Canvas
}

// mark encloses a text's length in front of the text until the document is written. It is a private-use character, which no
// label holds.
const mark = "\uE000"

// FillString implements vg.Canvas.
func (c svgCanvas) FillString(f font.Face, at vg.Point, text string) {
	c.Canvas.FillString(f, at, fmt.Sprintf("%s%.2f%s%s", mark, f.Width(text).Points(), mark, text))
}

var (
	markedText = regexp.MustCompile(`(<text [^>]*)>` + mark + `([0-9.]+)` + mark)
	family     = []byte(`font-family:Liberation Sans;`)
	// The families after the first have the same metrics, or come close.
	families = []byte(`font-family:'Liberation Sans',Arimo,Arial,Helvetica,'Nimbus Sans',sans-serif;`)
)

// WriteTo implements io.WriterTo.
func (c svgCanvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if _, err := c.Canvas.WriteTo(&b); err != nil {
		return 0, err
	}
	svg := markedText.ReplaceAll(b.Bytes(), []byte(`$1 textLength="$2" lengthAdjust="spacingAndGlyphs">`))
	svg = bytes.ReplaceAll(svg, family, families)
	n, err := w.Write(svg)
	return int64(n), err
}
