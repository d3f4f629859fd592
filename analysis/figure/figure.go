// Package figure draws what braid simulates: as SVG or PDF for documents, as PNG for the web. Kinds are the figures of
// results, which Kind.Draw draws in the widths of a paper's column and page; Waterfall draws loads at hand.
//
// The same input gives the same bytes in every format. Colours come from one table (Colour), chosen for colour-blind
// readers; the first three also differ in lightness, so that figures with up to three interfaces survive grey print. Lines and
// points of groups differ in dashes and shape, too.
package figure

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Formats lists the formats a figure can be written in; they are also the file name extensions.
var Formats = []string{"svg", "pdf", "png"}

// dotsPerInch of PNG figures: sharp on screens with two pixels a point.
const dotsPerInch = 144

// Figure is a drawing of a given size that has not been drawn yet.
type Figure struct {
	Width, Height vg.Length
	draw          func(draw.Canvas)
}

// Format returns the format a file name asks for by its extension, in any letter case.
func Format(path string) (string, error) {
	ext := filepath.Ext(path)
	format := strings.ToLower(strings.TrimPrefix(ext, "."))
	if !slices.Contains(Formats, format) {
		return "", fmt.Errorf("%s: a figure cannot be written as %q (extensions: .%s)", path, ext, strings.Join(Formats, ", ."))
	}
	return format, nil
}

// Write draws the figure in one of Formats.
func (f *Figure) Write(w io.Writer, format string) error {
	var canvas interface {
		vg.CanvasSizer
		io.WriterTo
	}
	switch format {
	case "svg":
		canvas = svgCanvas{vgsvg.NewWith(vgsvg.UseWH(f.Width, f.Height))}
	case "pdf":
		undatedPDF()
		canvas = pdfCanvas{vgpdf.New(f.Width, f.Height)}
	case "png":
		canvas = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(dotsPerInch))}
	default:
		return fmt.Errorf("unknown figure format %q (formats: %s)", format, strings.Join(Formats, ", "))
	}
	f.draw(draw.New(canvas))
	_, err := canvas.WriteTo(w)
	return err
}

// undatedPDF makes PDFs reproducible: the library writes the time of day and walks its maps in random order otherwise, and
// the canvas gives no way to the document's own settings.
var undatedPDF = sync.OnceFunc(func() {
	fpdf.SetDefaultCatalogSort(true)
	fpdf.SetDefaultCreationDate(time.Unix(0, 0).UTC())
	fpdf.SetDefaultModificationDate(time.Unix(0, 0).UTC())
})
