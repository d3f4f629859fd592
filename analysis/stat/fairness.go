package stat

// Jain returns Jain's fairness index of shares: (sum x)^2 / (n sum x^2), from 1/n when one has everything to 1 when all are
// equal (Jain, Chiu, Hawe: "A Quantitative Measure of Fairness and Discrimination for Resource Allocation in Shared Computer
// Systems", DEC-TR-301, 1984). NaN when there are no shares or all are 0.
func Jain(shares []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, x := range shares {
		sum += x
		squares += float64(x * x)
	}
	return sum * sum / (float64(len(shares)) * squares)
}
