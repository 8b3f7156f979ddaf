/** What stands where a secret was. One constant, so that readers and programs can recognise it. */
export const REDACTED = '[redacted]';
