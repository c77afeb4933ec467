/** A small file of ingredients for the OpenAPI document, which the demo laboratory can import. */
export const IMPORT_EXAMPLE = `inciName,chineseName,functionCategory,unitPrice,casNumbers
Phenoxyethanol,苯氧乙醇,preservative,45,122-99-6
Bakuchiol,补骨脂酚,antioxidant,1280,10309-37-2
`;
