/** Modules of the laboratory. Each has routes of its own. */
export const LAB_MODULE_NAMES = [
  'versions',
  'analysis',
  'raw-materials',
  'colors',
  'screening',
  'lists',
  'replacement',
  'names',
  'people',
  'trash',
  'files',
] as const;

export type LabModuleName = (typeof LAB_MODULE_NAMES)[number];
