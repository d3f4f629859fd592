// Package run runs the grids of scenarios: on all cores, in bounded memory, resumable, in shards, with rows that come out
// in the order of the grid whatever the number of workers.
//
// # Workers
//
// Each worker owns one engine. It claims a few consecutive runs at a time, so that neighbours, which share their page,
// stay together; what takes it too long it gives back. A reorder window puts the chunks back in order; a worker that gets
// too far ahead of the slowest one waits.
//
// A run that fails is a row with its error, not the end of the grid, and so is one in which an engine panics.
//
// # Runs that cannot differ
//
// run once: a policy declares what it reads (policy.Reads), and a run whose factors differ from another's only in what
// its policy does not read gets the other's outcome (scenarios.Twins). Every run has its row. A bounded number of outcomes
// is remembered; since pages vary slowest and every policy reads them, twins are close together.
//
// # Resume
//
// With a result.Journal, finished runs are kept on the disk as they come, in any order, and what is there is not computed
// again. Rows are then made from the journal and from new runs alike, in the order of the grid, so the files of a resumed
// grid are those of an undisturbed one, to the byte. A killed program loses the runs of its last few hundred rows or of the
// last second, a crash of the machine those since the last sync, which is every second.
//
// # Shards
//
// PartOf cuts a grid into shards: consecutive cases of about equal expected cost, so that joining them is putting them one
// behind the other (result.Merge). ShardFrom takes the shard from a Slurm array or an indexed Kubernetes job; the folder
// cluster has a batch script and a job to copy.
//
// # How long the published grid takes
//
// The grid of the Socket Intents paper (socket-intents/table4: 384 pairs of networks, 7 policies, 3,600 page crawls), rows
// as Parquet, on two cores of an AMD EPYC that had little else to do:
//
//	/usr/bin/time -v braid run socket-intents/table4 -o DIR --where profile=dtsimulator
//
//	profile      rows       distinct runs  events         time      CPU time  memory  size
//	dtsimulator  9,676,800  7,056,000      366,981,131    6 min 12  694 s     173 MB  64.9 MB
//	linux        9,676,800  7,056,000      1,448,761,623  5 min 35  651 s     163 MB  61.3 MB
//
// Events are those of the loads, without those of predictions. With other work on both cores it took up to 12 min 36.
package run
