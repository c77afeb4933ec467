import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { differenceCiede2000 } from 'culori';
import { FUNCTION_CATEGORIES } from '../../ingredients/function-category';
import { CreateIngredientDto } from '../../ingredients/ingredient.dto';
import { casFault } from '../../ingredients/raw-materials/registry-numbers';
import { demoContent, type DemoFormula } from './demo-content';

const { projects, ingredients, formulas, histories, colors } = demoContent;

const catalogue = new Map(ingredients.map((ingredient) => [ingredient.inciName, ingredient]));
const linesOf = (formula: DemoFormula) => formula.phases.flatMap((phase) => phase.ingredients);
const totalOf = (formula: DemoFormula, inciName: string) =>
  linesOf(formula)
    .filter((line) => line.inciName === inciName)
    .reduce((total, line) => total + line.percentage, 0);
const formulaNamed = (part: string): DemoFormula => {
  const found = formulas.find((formula) => formula.name.includes(part));
  if (!found) throw new Error(`no formula is named ${part}`);
  return found;
};

/** A JSON number as an integer count of 10^-6, so that sums are exact. */
function micro(value: number): bigint {
  const [whole = '0', fraction = ''] = String(value).split('.');
  if (!/^\d+$/.test(whole) || !/^\d{0,6}$/.test(fraction)) throw new Error(`not a plain decimal: ${value}`);
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}

function duplicates(names: string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = name.toLowerCase();
    return seen.size === seen.add(key).size;
  });
}

describe('the demo catalogue', () => {
  it('holds about 250 ingredients, each INCI name once', () => {
    expect(ingredients.length).toBeGreaterThanOrEqual(240);
    expect(ingredients.length).toBeLessThanOrEqual(280);
    expect(duplicates(ingredients.map((ingredient) => ingredient.inciName))).toEqual([]);
  });

  it('uses all twelve categories and no other', () => {
    expect([...new Set(ingredients.map((ingredient) => ingredient.functionCategory))].sort()).toEqual(
      [...FUNCTION_CATEGORIES].sort(),
    );
  });

  it.each(ingredients.map((ingredient) => [ingredient.inciName, ingredient] as const))(
    '%s is complete',
    (_, it) => {
      for (const text of [it.inciName, it.chineseName, it.unit, it.description, it.supplier ?? 'none']) {
        expect(text).toBe(text.trim());
        expect(text).not.toBe('');
        expect(text).not.toContain('，');
      }
      expect(validateSync(plainToInstance(CreateIngredientDto, it))).toEqual([]);
      expect(it.inciName).not.toMatch(/[一-鿿（）]/);
      expect(it.unit).toBe('kg');
      expect(it.unitPrice ?? 1).toBeGreaterThan(0);
      expect(it.unitPrice ?? 1).toBeLessThan(20_000);
    },
  );

  it('has one ingredient without a price', () => {
    expect(ingredients.filter(({ unitPrice }) => unitPrice === null)).toHaveLength(1);
  });
});

it('demo content with a category that the service does not have is refused', () => {
  jest.isolateModules(() => {
    jest.doMock('./ingredients.json', () => [{ functionCategory: 'magic' }]);
    expect(() => jest.requireActual('./demo-content')).toThrow(
      'The demo content has the unknown category "magic"',
    );
  });
  jest.dontMock('./ingredients.json');
});

describe('the demo projects', () => {
  it('are three, each with formulas', () => {
    expect(projects).toHaveLength(3);
    expect(duplicates(projects.map((project) => project.name))).toEqual([]);
    for (const project of projects) {
      expect(project.name.length).toBeLessThanOrEqual(200);
      expect(
        formulas.filter((formula) => formula.projectName === project.name).length,
      ).toBeGreaterThanOrEqual(4);
    }
  });
});

describe('the demo formulas', () => {
  it('are of many kinds, each name once', () => {
    expect(formulas.length).toBeGreaterThanOrEqual(14);
    expect(duplicates(formulas.map((formula) => formula.name))).toEqual([]);
  });

  /** The formulas as they are, and as they were in each earlier version. */
  const versions = [
    ...formulas.map((formula) => [formula.name, formula] as const),
    ...histories.flatMap(({ formulaName, versions: earlier }) =>
      earlier.map(({ phases }, index) => {
        const name = `${formulaName}, version ${index + 1}`;
        return [name, { ...formulaNamed(formulaName), phases }] as const;
      }),
    ),
  ];

  it('have one history, of five versions with their reasons', () => {
    expect(histories).toHaveLength(1);
    const [{ formulaName, versions: earlier, latestDescription }] = histories as [(typeof histories)[0]];
    expect(formulas.some(({ name }) => name === formulaName)).toBe(true);
    expect(earlier.map(({ description }) => description === null)).toEqual([true, false, false, false]);
    expect(latestDescription).not.toBe('');
  });

  it.each(versions)('%s is sound', (_, formula) => {
    expect(formula.name.length).toBeLessThanOrEqual(200);
    expect(formula.description.length).toBeLessThanOrEqual(2000);
    expect(projects.map((project) => project.name)).toContain(formula.projectName);
    expect(formula.phases.length).toBeGreaterThanOrEqual(3);
    expect(formula.phases.map((phase) => phase.sortOrder)).toEqual(formula.phases.map((_phase, i) => i + 1));
    for (const phase of formula.phases) {
      expect(phase.name).toMatch(/^[A-F] \S/);
      expect(phase.ingredients.length).toBeGreaterThan(0);
      expect(phase.ingredients.some((line) => line.processNotes !== null)).toBe(true);
    }
    for (const line of linesOf(formula)) {
      expect(catalogue.has(line.inciName) ? '' : line.inciName).toBe('');
      expect(line.percentage).toBeGreaterThan(0);
      expect((line.processNotes ?? 'none').trim()).not.toBe('');
      expect((line.processNotes ?? '').length).toBeLessThanOrEqual(2000);
    }
    expect(linesOf(formula).reduce((total, line) => total + micro(line.percentage), 0n)).toBe(100_000_000n);
  });

  /*
   * The stricter of the Chinese Safety and Technical Standards for Cosmetics (2015) and Annexes III, V and VI
   * of Regulation (EC) 1223/2009 for leave-on products; salts are counted as the salt, which is stricter
   * still.
   */
  const LIMITS: Record<string, number> = {
    Phenoxyethanol: 1,
    'Sodium Benzoate': 0.5,
    'Potassium Sorbate': 0.6,
    Methylparaben: 0.4,
    Propylparaben: 0.14,
    'Dehydroacetic Acid': 0.6,
    Chlorphenesin: 0.3,
    'DMDM Hydantoin': 0.6,
    BHT: 0.8,
    Triethanolamine: 2.5,
    'Ethylhexyl Methoxycinnamate': 10,
    'Butyl Methoxydibenzoylmethane': 5,
    Octocrylene: 9,
    'Ethylhexyl Salicylate': 5,
    Homosalate: 7.34,
    'Bis-Ethylhexyloxyphenol Methoxyphenyl Triazine': 10,
    'Diethylamino Hydroxybenzoyl Hexyl Benzoate': 10,
    'Ethylhexyl Triazone': 5,
    'Titanium Dioxide': 25,
    'Zinc Oxide': 25,
  };

  it.each(versions)('%s keeps the limits', (_, formula) => {
    for (const [inciName, limit] of Object.entries(LIMITS)) {
      expect(catalogue.has(inciName)).toBe(true);
      expect({ inciName, within: totalOf(formula, inciName) <= limit }).toEqual({ inciName, within: true });
    }
  });

  it('preserve whatever holds water, and neutralise every carbomer', () => {
    const preservatives = new Set(
      ingredients.filter((it) => it.functionCategory === 'preservative').map((it) => it.inciName),
    );
    const bases = ['Triethanolamine', 'Sodium Hydroxide', 'Arginine', 'Aminomethyl Propanol', 'Tromethamine'];
    const carbomers = ['Carbomer', 'Acrylates/C10-30 Alkyl Acrylate Crosspolymer'];
    for (const formula of formulas) {
      const names = linesOf(formula).map((line) => line.inciName);
      if (names.includes('Aqua') && totalOf(formula, 'Alcohol') < 20) {
        expect(names.filter((name) => preservatives.has(name))).not.toEqual([]);
      }
      if (names.some((name) => carbomers.includes(name))) {
        expect(names.filter((name) => bases.includes(name))).toHaveLength(1);
      }
    }
  });

  it('reach 75 % by volume of ethanol in the hand sanitiser', () => {
    // 95 % v/v ethanol is 92.4 % by mass; 75 % v/v is 67.9 % by mass (alcoholometric tables, 20 °C).
    const ethanolByMass = totalOf(formulaNamed('Hand Sanitiser'), 'Alcohol') * 0.924;
    expect(ethanolByMass).toBeGreaterThanOrEqual(67.9);
  });

  it('use no sulfate in the sulfate-free cleanser, no fragrance for babies, no water in lipstick', () => {
    expect(linesOf(formulaNamed('Sulfate-Free')).filter((line) => /sulfate/i.test(line.inciName))).toEqual(
      [],
    );
    expect(totalOf(formulaNamed('Baby'), 'Parfum')).toBe(0);
    expect(totalOf(formulaNamed('Lipstick'), 'Aqua')).toBe(0);
  });
});

describe('the demo profiles', () => {
  const { profiles } = demoContent;

  it('are of formulas, and name one that comes before as what a product is mixed with', () => {
    const placeOf = (wanted: string) => formulas.findIndex(({ name }) => name === wanted);
    for (const { formulaName } of profiles) expect(placeOf(formulaName)).toBeGreaterThanOrEqual(0);
    const mixed = profiles.flatMap(({ formulaName, profile: { mixedWith } }) =>
      mixedWith ? [{ formulaName, name: mixedWith.name! }] : [],
    );
    expect(mixed).toHaveLength(1);
    for (const { formulaName, name } of mixed) {
      expect(placeOf(name)).toBeGreaterThanOrEqual(0);
      expect(placeOf(name)).toBeLessThan(placeOf(formulaName));
    }
  });

  it('keep the limits of hair dyes after mixing: Annex III of Regulation (EC) 1223/2009, and those of China', () => {
    const [dye, developer] = [formulaNamed('Hair Colour'), formulaNamed('Developer')];
    const ofDye = (inciName: string) => totalOf(dye, inciName) / 2.5;
    expect(ofDye('Toluene-2,5-Diamine Sulfate')).toBeLessThanOrEqual(3.6);
    expect(ofDye('Resorcinol')).toBeLessThanOrEqual(1.25);
    expect(ofDye('m-Aminophenol')).toBeLessThanOrEqual(1);
    expect(totalOf(dye, 'Ammonium Hydroxide') * 0.25).toBeLessThanOrEqual(6);
    expect(totalOf(developer, 'Hydrogen Peroxide') * 0.35).toBeCloseTo(6, 2);
  });
});

describe('the demo CAS numbers', () => {
  it('are of ingredients of the catalogue, each of one, with their check digits', () => {
    const numbers = Object.entries(demoContent.casNumbers);
    expect(numbers.length).toBeGreaterThan(50);
    expect(numbers.filter(([inciName]) => !catalogue.has(inciName))).toEqual([]);
    expect(numbers.filter(([, number]) => casFault(number))).toEqual([]);
    expect(duplicates(numbers.map(([, number]) => number))).toEqual([]);
  });
});

describe('the demo colours', () => {
  it('are about forty, each name once', () => {
    expect(colors.length).toBeGreaterThanOrEqual(38);
    expect(duplicates(colors.map((color) => color.name))).toEqual([]);
    expect(colors.filter((color) => color.formulaName !== null).length).toBeGreaterThanOrEqual(4);
    expect(colors.filter((color) => color.actualLab === null).length).toBeGreaterThan(0);
  });

  const ciede2000 = differenceCiede2000();
  const lab65 = (lab: { L: number; a: number; b: number }) => ({
    mode: 'lab65' as const,
    l: lab.L,
    a: lab.a,
    b: lab.b,
  });

  it.each(colors.map((color) => [color.name, color] as const))('%s is sound', (_, color) => {
    for (const lab of [color.targetLab, color.actualLab ?? color.targetLab]) {
      expect(lab.L).toBeGreaterThan(0);
      expect(lab.L).toBeLessThan(100);
      expect(Math.hypot(lab.a, lab.b)).toBeLessThan(80);
    }
    if (color.actualLab === null) expect(color.deltaE).toBeNull();
    else expect(color.deltaE).toBeCloseTo(ciede2000(lab65(color.targetLab), lab65(color.actualLab)), 2);

    expect(color.colorantComposition.reduce((total, share) => total + micro(share.ratio), 0n)).toBe(
      1_000_000n,
    );
    for (const share of color.colorantComposition) {
      expect(catalogue.get(share.name)?.functionCategory).toBe('colorant');
    }
  });

  it('show the pigment blend of the formula they belong to', () => {
    for (const color of colors.filter((it) => it.formulaName !== null)) {
      const formula = formulas.find((it) => it.name === color.formulaName);
      if (!formula) throw new Error(`${color.name} names an unknown formula`);
      const pigments = linesOf(formula).filter((line) => line.inciName.startsWith('CI '));
      const total = pigments.reduce((sum, line) => sum + line.percentage, 0);
      const blend = Object.fromEntries(
        color.colorantComposition.map((share) => [share.name, share.ratio.toFixed(2)]),
      );
      expect(blend).toEqual(
        Object.fromEntries(pigments.map((line) => [line.inciName, (line.percentage / total).toFixed(2)])),
      );
    }
  });
});

describe('the demo table of limits', () => {
  const { name, limits } = demoContent.edition;

  it('says in its name and in every row that it is no legal data', () => {
    expect(name).toBe('Demo limits (not legal data)');
    for (const limit of limits) expect(limit).toMatchObject({ region: 'demo', annex: 'H1' });
    for (const { source } of limits) expect(source).toMatch(/^Made up .* no legal data$/);
  });

  it('has one limit that the serum exceeds, and no number that another exceeds', () => {
    const serum = formulaNamed('Hydrating Serum');
    const exceeded = limits.filter(
      ({ kind, inciNames, limitPercent, productTypes, validFrom }) =>
        kind !== 'declare-above' &&
        validFrom === null &&
        productTypes?.includes('face-leave-on') &&
        inciNames.reduce((sum, inciName) => sum + totalOf(serum, inciName), 0) > Number(limitPercent ?? 100),
    );
    expect(exceeded.map(({ inciNames }) => inciNames)).toEqual([['Phenoxyethanol']]);
  });
});
