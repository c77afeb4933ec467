import { isSameName } from './close-name';

describe('isSameName', () => {
  it.each([
    ['Glycerin', 'GLYCERIN'],
    ['Glycerin', 'Glycerine'],
    ['Sodium Hyaluronate', 'sodium  hyaluronate'],
    ['Caprylic/Capric Triglyceride', 'Caprylic Capric Triglycerides'],
    ['Phenoxyethanol', 'Phenoxethanol'],
    ['Glycrin', 'Glycerin'],
    ['PEG-40 Hydrogenated Castor Oil', 'PEG 40 hydrogenated castor oil'],
    ['透明质酸钠', '透明质酸钠 '],
    ['Phenoxyethanol', 'Phenoxiethanol'],
    ['Butylene Glycol', 'Butyleneglycol'],
  ])('%s = %s', (a, b) => expect(isSameName(a, b)).toBe(true));

  it.each([
    ['Polysorbate 20', 'Polysorbate 60'],
    ['PEG-7 Glyceryl Cocoate', 'PEG-70 Glyceryl Cocoate'],
    ['Sodium Lauryl Sulfate', 'Sodium Laureth Sulfate'],
    ['Methylparaben', 'Ethylparaben'],
    ['Cetyl Alcohol', 'Cetearyl Alcohol'],
    ['Magnesium Sulfate', 'Magnesium Sulfite'],
    ['Tocopherol', 'Tocopheryl'],
    ['Retnol', 'Retinol'],
    ['Glycerin', 'Polyglycerin'],
    ['甘油', '甘油酯'],
    ['透明质酸', '透明质酸钠'],
    ['Sodium', 'Sodium Chloride'],
    ['Phenoxyethanol', 'Phenixiethanol'],
    ['Phenoxyethanol', 'Phenoxyyythanol'],
    ['透明质酸钠交联聚合物', '透明质酸钾交联聚合物'],
    ['CI 1234567', 'CI 1230567'],
    ['', ''],
    ['Glycerin', ''],
    ['', 'Glycerin'],
  ])('%s ≠ %s', (a, b) => expect(isSameName(a, b)).toBe(false));
});
