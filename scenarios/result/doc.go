// Package result holds what a grid of runs gives: one row per run, in Parquet, CSV or JSON lines, and a manifest that
// says what made the rows.
//
// # Rows
//
// The columns, in this order:
//
//   - run: position of the run in the grid, from 0;
//   - the factors, one column each, with the unit in the name: page, wifi_bandwidth_bit_s, wifi_rtt_s, ..., seed,
//     repetition, profile, policy;
//   - the metrics (see PageLoad): load_time_s, connections, <interface>_bytes, events, predictions;
//   - error: empty when the run went well. When it failed, its metrics are null (empty in CSV).
//
// Rows come in the order of the grid. They depend on nothing but the scenario: the same file, to the byte, comes from
// any number of workers.
//
// A directory of results holds rows.parquet (or rows.csv, rows.jsonl) and manifest.json. Files are written under a
// temporary name and renamed when they are complete, so a file under its final name is whole.
//
// While a grid runs, and after an interrupt, rows.journal holds what is finished (Journal), and the rows there may be are
// marked incomplete in the manifest. OpenDir goes on from the journal, or explains why what is there does not belong to
// the same rows: another scenario, seed, selection, model version or architecture, or inputs with other bytes
// (Manifest.Differences). A lock keeps two programs from writing the same rows.
//
// A shard has files of its own: rows-03-of-12.parquet, manifest-03-of-12.json, rows-03-of-12.journal. Merge joins them. A
// directory of shards is read as one table (Open).
//
// # Reading rows elsewhere
//
// pandas (with pyarrow for Parquet):
//
//	import pandas as pd
//	rows = pd.read_parquet("results/rows.parquet")          # or read_csv, or read_json(..., lines=True)
//	print(rows.groupby("policy")["load_time_s"].quantile([0.05, 0.5, 0.95]).unstack())
//
// R (package arrow, or nanoparquet without further dependencies):
//
//	rows <- arrow::read_parquet("results/rows.parquet")     # or nanoparquet::read_parquet, read.csv
//	aggregate(load_time_s ~ policy, rows, quantile, probs = c(0.05, 0.5, 0.95))
//
// DuckDB, which reads only the columns a query needs and files larger than memory:
//
//	SELECT policy, quantile_cont(load_time_s, [0.05, 0.5, 0.95])
//	FROM 'results/rows.parquet' GROUP BY policy;
//
// The three use the quantile that the summary of a run uses (linear interpolation between order statistics, type 7 of
// Hyndman and Fan 1996), so their numbers can be compared.
//
// Speed-up over the first policy, paired by run, in DuckDB (every factor but policy goes into USING):
//
//	SELECT b.policy, median(a.load_time_s / b.load_time_s) AS speedup
//	FROM 'results/rows.parquet' a JOIN 'results/rows.parquet' b
//	USING (page, wifi_bandwidth_bit_s, wifi_rtt_s, lte_bandwidth_bit_s, lte_rtt_s, repetition, profile)
//	WHERE a.policy = 'if1' GROUP BY b.policy;
package result
