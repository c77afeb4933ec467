/** Answers that pass their schemas. */
export const PREDICTION = {
  sensoryIndex: { spreadability: 81, absorption: 72, stickiness: 13, overall: 79 },
  stabilityScore: 88,
  costEstimate: 23.4,
  confidence: 0.74,
  reasoning: 'From the fake.',
};

export const option = (name: string, more: object = {}) => ({
  name,
  changes: [{ action: 'add', ingredient: '甘油', oldPercentage: null, newPercentage: 3 }],
  predictedMetrics: { costEstimate: 18, stabilityScore: 85 },
  reasoning: 'From the fake.',
  ...more,
});

export const EXTRACTION = {
  ingredients: [
    { inciName: 'Aqua', chineseName: '水', percentage: null, phase: 'A', processNotes: '', balance: true },
    { inciName: 'Glycerin', chineseName: '甘油', percentage: 5, phase: 'A', processNotes: '' },
  ],
};
