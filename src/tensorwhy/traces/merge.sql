-- One row for each finding, however many workers met it. Runs as it is on DuckDB and SQLite.
-- `diagnoses` has the columns of docs/howto/traces.md; the gravest word on a finding, of the first worker, speaks for it.
WITH ranked AS (
    SELECT *, ROW_NUMBER() OVER (PARTITION BY finding ORDER BY gravity, worker) AS place_in_line
    FROM diagnoses
)
SELECT
    finding,
    MIN(gravity) AS gravity,
    MAX(CASE WHEN place_in_line = 1 THEN worker END) AS speaker,
    MAX(CASE WHEN place_in_line = 1 THEN together END) AS together,
    MAX(CASE WHEN place_in_line = 1 THEN document END) AS document,
    MAX(CASE WHEN place_in_line = 1 THEN excerpts END) AS excerpts,
    COUNT(*) AS workers,
    GROUP_CONCAT(worker, ',') AS names,
    SUM(seen) AS seen,
    MIN(first_step) AS first_step,
    MAX(first_step) AS latest_first_step,
    MAX(last_step) AS last_step
FROM ranked
GROUP BY finding
ORDER BY gravity, workers DESC, MIN(file), MIN(line), MIN(code), finding
