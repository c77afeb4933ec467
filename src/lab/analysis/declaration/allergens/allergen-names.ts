import { substanceKey } from '../../../raw-materials/substance-names';

/*
 * The names under which Annex III of the EU has fragrance allergens declared, as of 2026-08, and the names of
 * substances that it has declared under the name of a group or of all isomers together. Names only: thresholds,
 * dates and conditions are in the tables of limits that an administrator loads.
 */

/** Declared under their own names. */
const OWN_NAMES = `
  3-Propylidenephthalide; 6-Methylcoumarin; Acetyl Cedrene; Alpha-Isomethyl Ionone; Alpha-Terpinene; Amyl Cinnamal;
  Amyl Salicylate; Amylcinnamyl Alcohol; Anise Alcohol; Benzaldehyde; Benzyl Alcohol; Benzyl Benzoate;
  Benzyl Cinnamate; Benzyl Salicylate; Beta-Caryophyllene; Cinnamal; Cinnamomum Cassia Leaf Oil;
  Cinnamomum Zeylanicum Bark Oil; Cinnamyl Alcohol; Citrus Aurantium Bergamia Peel Oil; Citrus Limon Peel Oil;
  Coumarin; Dimethyl Phenethyl Acetate; Eugenol; Eugenyl Acetate; Evernia Furfuracea Extract;
  Evernia Prunastri Extract; Farnesol; Geraniol; Geranyl Acetate; Hexadecanolactone; Hexamethylindanopyran;
  Hexyl Cinnamal; Hydroxycitronellal; Isoeugenyl Acetate; Laurus Nobilis Leaf Oil; Linalool; Linalyl Acetate;
  Lippia Citriodora Absolute; Mentha Piperita Oil; Mentha Viridis Leaf Oil; Methyl 2-Octynoate; Methyl Salicylate;
  Pelargonium Graveolens Flower Oil; Pogostemon Cablin Oil; Salicylaldehyde; Santalum Album Oil; Sclareol;
  Terpinolene; Tetramethyl Acetyloctahydronaphthalenes; Trimethylbenzenepropanol;
  Trimethylcyclopentenyl Methylisopentenol; Turpentine; Vanillin`;

/** Names for several substances, each with those that are declared under it. */
const NAMES_OF_SEVERAL: Readonly<Record<string, string>> = {
  Anethole: 'Trans-Anethole',
  Camphor: 'd-Camphor; l-Camphor; dl-Camphor',
  'Cananga Odorata Oil/Extract': 'Cananga Odorata Flower Extract; Cananga Odorata Flower Oil',
  Carvone: 'd-Carvone; l-Carvone; dl-Carvone',
  'Cedrus Atlantica Oil/Extract': `
    Cedrus Atlantica Bark Extract; Cedrus Atlantica Bark Oil; Cedrus Atlantica Bark Water;
    Cedrus Atlantica Leaf Extract; Cedrus Atlantica Wood Extract; Cedrus Atlantica Wood Oil`,
  Citral: 'Geranial; Neral',
  Citronellol: 'd-Citronellol; l-Citronellol; dl-Citronellol',
  'Citrus Aurantium Flower Oil': 'Citrus Aurantium Amara Flower Oil; Citrus Aurantium Dulcis Flower Oil',
  'Citrus Aurantium Peel Oil': `
    Citrus Aurantium Amara Peel Oil; Citrus Aurantium Dulcis Peel Oil; Citrus Sinensis Peel Oil`,
  'Eucalyptus Globulus Oil': 'Eucalyptus Globulus Leaf Oil; Eucalyptus Globulus Leaf/Twig Oil',
  'Eugenia Caryophyllus Oil': `
    Eugenia Caryophyllus Leaf Oil; Eugenia Caryophyllus Flower Oil; Eugenia Caryophyllus Stem Oil;
    Eugenia Caryophyllus Bud Oil`,
  Isoeugenol: 'Cis-Isoeugenol; Trans-Isoeugenol',
  'Jasmine Oil/Extract': `
    Jasminum Grandiflorum Flower Extract; Jasminum Officinale Oil; Jasminum Officinale Flower Extract`,
  'Juniperus Virginiana Oil': 'Juniperus Virginiana Wood Oil',
  'Lavandula Oil/Extract': `
    Lavandula Hybrida Oil; Lavandula Hybrida Extract; Lavandula Hybrida Flower Extract;
    Lavandula Intermedia Flower/Leaf/Stem Extract; Lavandula Intermedia Flower/Leaf/Stem Oil;
    Lavandula Intermedia Oil; Lavandula Angustifolia Oil; Lavandula Angustifolia Flower/Leaf/Stem Extract`,
  'Lemongrass Oil': 'Cymbopogon Schoenanthus Oil; Cymbopogon Flexuosus Oil; Cymbopogon Citratus Leaf Oil',
  Limonene: 'd-Limonene; l-Limonene; dl-Limonene; Dipentene',
  Menthol: 'd-Menthol; l-Menthol; dl-Menthol',
  'Myroxylon Pereirae Oil/Extract': `
    Myroxylon Balsamum Pereirae Balsam Extract; Myroxylon Balsamum Pereirae Balsam Oil;
    Myroxylon Pereirae Oil; Myroxylon Pereirae Resin Extract; Myroxylon Pereirae Resin`,
  'Narcissus Extract': `
    Narcissus Poeticus Extract; Narcissus Pseudonarcissus Flower Extract; Narcissus Jonquilla Extract;
    Narcissus Tazetta Extract`,
  Pinene: 'Alpha-Pinene; Beta-Pinene',
  'Pinus Mugo': 'Pinus Mugo Leaf Oil; Pinus Mugo Twig Leaf Extract; Pinus Mugo Twig Oil',
  'Pinus Pumila': 'Pinus Pumila Needle Extract; Pinus Pumila Twig Leaf Extract; Pinus Pumila Twig Leaf Oil',
  'Rose Flower Oil/Extract': `
    Rosa Damascena Flower Oil; Rosa Damascena Flower Extract; Rosa Alba Flower Oil; Rosa Alba Flower Extract;
    Rosa Canina Flower Oil; Rosa Centifolia Flower Oil; Rosa Centifolia Flower Extract;
    Rosa Gallica Flower Oil; Rosa Moschata Flower Oil; Rosa Rugosa Flower Oil`,
  'Rose Ketones': `
    Alpha-Damascone/Cis-Rose Ketone 1/Trans-Rose Ketone 1; Alpha-Damascone; Cis-Rose Ketone 1;
    Trans-Rose Ketone 1; Rose Ketone 1; Cis-Rose Ketone 2; Trans-Rose Ketone 2; Rose Ketone 2; Beta-Damascone;
    Cis-Beta-Damascone; Trans-Beta-Damascone; Rose Ketone 3; Trans-Rose Ketone 3; Delta-Damascone;
    Rose Ketone 3/Trans-Rose Ketone 3; Rose Ketone 4; Damascone; Damascenone`,
  Santalol: 'Alpha-Santalol; Beta-Santalol',
  Terpineol: 'Alpha-Terpineol; Beta-Terpineol; Gamma-Terpineol',
};

const namesIn = (text: string): string[] => text.split(';').map((name) => name.trim());

/** An English name in brackets, which labels of the United States have: `Citrus Limon (Lemon) Peel Oil`. */
const EVERYDAY_NAME = / \([a-z -]+\)/g;
const keyOf = (name: string): string => substanceKey(name).replace(EVERYDAY_NAME, '');

const BY_KEY: ReadonlyMap<string, string> = new Map(
  [
    ...namesIn(OWN_NAMES).map((name) => [name, name] as const),
    ...Object.entries(NAMES_OF_SEVERAL).flatMap(([name, several]) =>
      [name, ...namesIn(several)].map((one) => [one, name] as const),
    ),
  ].map(([one, name]) => [keyOf(one), name]),
);

/** The name under which the EU has an allergen declared; nothing where it is not known. */
export const allergenNameOf = (inciName: string): string | undefined => BY_KEY.get(keyOf(inciName));
