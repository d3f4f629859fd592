// Package compare holds the rows of two sets of results against each other, as after a change of the model, of a policy, or
// of a parameter.
//
// # Pairs
//
// Rows are paired by the values of their factors, never by their numbers: the grids may have grown, and the files may be of
// other formats. A factor that only one set has, and one that is ignored, must have one level in each set. Rows without a
// partner are counted and named by the level that the other set lacks.
//
// # Statistics
//
// For each group (by default each policy and profile):
//
//   - the medians of the metric in both sets, over the pairs;
//   - the change of a pair: the median over the pairs of new/old, which is not the ratio of the medians. Its confidence
//     interval is from order statistics (stat.MedianRank), without assumptions on the distribution;
//   - p of Wilcoxon's signed-rank test on log(new/old), which leaves out pairs that do not differ: whether what changed
//     leans to one side. It is not corrected for the number of groups. The runs of a grid are a choice, not a random sample,
//     and runs that cannot differ from each other count as often as they are: p is a guide, not a proof.
//
// Over the groups: the geometric means of the medians, and of the changes.
//
// # Memory
//
// Each set is read twice, row by row: for the levels of its factors, then in step with the other. Rows with a level that the
// other set lacks are counted and forgotten, so that sets in one order, also when one has grown, need no memory for their
// length. Otherwise a row waits for its partner, at most MaxWaiting of them. The test ranks all pairs
// that differ: 8 bytes each, and 16 more while their group is tested.
package compare
