/** Each remark once, with the number of rows it was made on. */
export function countedRemarks(remarks: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const remark of remarks) counts.set(remark, (counts.get(remark) ?? 0) + 1);
  return [...counts].map(([remark, count]) => `${remark} (${count} ${count === 1 ? 'row' : 'rows'})`);
}
