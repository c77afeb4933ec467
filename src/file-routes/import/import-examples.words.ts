/** Small CSV files for the OpenAPI document, which the demo laboratory can import. */
export const IMPORT_EXAMPLES = {
  ingredients: `inciName,chineseName,functionCategory,unitPrice,casNumbers
Phenoxyethanol,苯氧乙醇,preservative,45,122-99-6
Bakuchiol,补骨脂酚,antioxidant,1280,10309-37-2
`,
  colors: `name,L,a,b,measuredL,measuredA,measuredB,deltaE,composition
口红 试样 1,42.5,48.2,21.7,42.9,47.6,22.1,0.6,CI 15850: 7.8; CI 77491: 2.2
`,
  formulas: `配方,相,原料,用量(%)
保湿水,水相,水,余量
保湿水,水相,丁二醇,5
保湿水,后添加,苯氧乙醇,0.5
`,
} as const;
