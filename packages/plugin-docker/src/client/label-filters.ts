/** The filters that let a listing show only what carries all of these labels. */
export function labelFilters(labels: Readonly<Record<string, string>>): string[] {
  return Object.entries(labels).map(([name, value]) => `label=${name}=${value}`);
}
