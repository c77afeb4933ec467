import { categoryFromCosing, COSING_RULES } from './cosing-categories';
import { FUNCTION_CATEGORIES } from './function-category';

/** Entries as the inventory has them, with the category a formulator would give. */
const INVENTORY: [category: string, inciName: string, functions: string][] = [
  ['other', 'AQUA', 'Solvent'],
  ['other', 'WATER', 'Antiplaque, Skin Conditioning, Solvent'],
  [
    'other',
    'SALICYLIC ACID',
    'Anti-Seborrheic, Fragrance, Hair Conditioning, Keratolytic, Preservative, Skin Conditioning',
  ],
  ['other', 'SILICA', 'Abrasive, Absorbent, Anticaking, Bulking, Opacifying, Viscosity Controlling'],
  ['other', 'TALC', 'Abrasive, Absorbent, Anticaking, Bulking, Opacifying, Skin Protecting'],
  ['other', 'KAOLIN', 'Abrasive, Absorbent, Anticaking, Bulking, Colorant, Opacifying'],
  ['other', 'NYLON-12', 'Bulking, Opacifying, Viscosity Controlling'],
  ['other', 'DISODIUM EDTA', 'Chelating, Viscosity Controlling'],
  [
    'other',
    'GLYCOL DISTEARATE',
    'Opacifying, Skin Conditioning, Skin Conditioning - Emollient, Surfactant - Emulsifying, Viscosity Controlling',
  ],
  ['other', 'MAGNESIUM SULFATE', 'Bulking, Viscosity Controlling'],
  [
    'other',
    'PVP',
    'Antistatic, Binding, Emulsion Stabilising, Film Forming, Hair Fixing, Viscosity Controlling',
  ],
  ['other', 'POLYQUATERNIUM-10', 'Antistatic, Film Forming'],
  ['other', 'ALLANTOIN', 'Skin Conditioning, Skin Protecting, Soothing'],
  ['other', 'NIACINAMIDE', 'Smoothing'],
  ['other', 'ALCOHOL', 'Antifoaming, Antimicrobial, Astringent, Fragrance, Solvent, Viscosity Controlling'],
  [
    'other',
    'ALCOHOL DENAT.',
    'Antifoaming, Antimicrobial, Astringent, Fragrance, Solvent, Viscosity Controlling',
  ],
  ['other', 'ISOPROPYL ALCOHOL', 'Antifoaming, Perfuming, Solvent, Viscosity Controlling'],
  ['other', 'CAFFEINE', 'Perfuming, Skin Conditioning'],
  ['other', 'RETINOL', 'Skin Conditioning, Skin Conditioning - Miscellaneous'],
  ['other', 'ALOE BARBADENSIS LEAF JUICE', 'Skin Conditioning'],
  ['other', 'CENTELLA ASIATICA EXTRACT', 'Cleansing, Skin Conditioning, Smoothing, Soothing, Tonic'],
  ['other', 'ALPHA-ARBUTIN', 'Antioxidant, Bleaching, Skin Conditioning - Miscellaneous'],
  [
    'other',
    'HYDROLYZED COLLAGEN',
    'Antistatic, Film Forming, Hair Conditioning, Humectant, Skin Conditioning, Skin Conditioning - Emollient',
  ],
  ['other', 'ZINC PYRITHIONE', 'Anti-Seborrheic, Anti-Sebum, Hair Conditioning, Preservative'],
  ['other', 'ALUMINUM CHLOROHYDRATE', 'Antiperspirant, Astringent, Deodorant'],
  ['other', 'CALCIUM CARBONATE', 'Abrasive, Buffering, Bulking, Opacifying, Oral Care'],
  ['other', 'ZINC STEARATE', 'Anticaking, Colorant, Slip Modifier, Viscosity Controlling'],
  ['other', 'AMMONIUM THIOGLYCOLATE', 'Depilatory, Hair Waving Or Straightening, Reducing'],
  ['other', 'THIOGLYCOLIC ACID', 'Antioxidant, Depilatory, Hair Waving Or Straightening, Reducing'],
  ['other', 'PROPANE', 'Propellant'],
  ['other', 'TETRASODIUM GLUTAMATE DIACETATE', 'Chelating'],
  ['other', 'HYDROGEN PEROXIDE', 'Antimicrobial, Oral Care, Oxidising'],
  [
    'humectant',
    'GLYCERIN',
    'Denaturant, Hair Conditioning, Humectant, Oral Care, Perfuming, Skin Conditioning, Skin Protecting, Solvent, Viscosity Controlling',
  ],
  ['humectant', 'BUTYLENE GLYCOL', 'Fragrance, Humectant, Skin Conditioning, Solvent, Viscosity Controlling'],
  ['humectant', 'PROPYLENE GLYCOL', 'Humectant, Skin Conditioning, Solvent, Viscosity Controlling'],
  ['humectant', 'PROPANEDIOL', 'Solvent, Viscosity Controlling'],
  ['humectant', 'PENTYLENE GLYCOL', 'Skin Conditioning, Solvent'],
  ['humectant', '1,2-HEXANEDIOL', 'Skin Conditioning, Solvent'],
  ['humectant', 'SODIUM LACTATE', 'Buffering, Humectant, Keratolytic'],
  ['humectant', 'SODIUM HYALURONATE', 'Humectant, Skin Conditioning'],
  [
    'humectant',
    'BETAINE',
    'Antistatic, Hair Conditioning, Humectant, Skin Conditioning, Viscosity Controlling',
  ],
  ['humectant', 'SORBITOL', 'Fragrance, Humectant, Perfuming, Skin Conditioning'],
  ['humectant', 'TREHALOSE', 'Humectant, Moisturising'],
  ['humectant', 'UREA', 'Antistatic, Buffering, Humectant, Skin Conditioning'],
  ['humectant', 'SODIUM PCA', 'Antistatic, Hair Conditioning, Humectant, Skin Conditioning'],
  ['humectant', 'PANTHENOL', 'Antistatic, Hair Conditioning, Skin Conditioning'],
  ['humectant', 'GLYCERETH-26', 'Humectant, Viscosity Controlling'],
  ['humectant', 'DIPROPYLENE GLYCOL', 'Fragrance, Perfuming, Solvent, Viscosity Controlling'],
  ['humectant', 'PEG-8', 'Humectant, Solvent'],
  ['humectant', 'ECTOIN', 'Skin Conditioning'],
  ['preservative', 'PHENOXYETHANOL', 'Antimicrobial, Preservative'],
  ['preservative', 'METHYLPARABEN', 'Fragrance, Preservative'],
  ['preservative', 'SODIUM BENZOATE', 'Anticorrosive, Fragrance, Preservative'],
  ['preservative', 'POTASSIUM SORBATE', 'Fragrance, Preservative'],
  ['preservative', 'BENZYL ALCOHOL', 'Perfuming, Preservative, Solvent, Viscosity Controlling'],
  ['preservative', 'CHLORPHENESIN', 'Antimicrobial, Preservative'],
  ['preservative', 'DMDM HYDANTOIN', 'Preservative'],
  ['preservative', 'METHYLISOTHIAZOLINONE', 'Preservative'],
  [
    'preservative',
    'BENZALKONIUM CHLORIDE',
    'Antimicrobial, Antistatic, Deodorant, Preservative, Surfactant - Dispersing',
  ],
  ['preservative', 'CAPRYLHYDROXAMIC ACID', 'Chelating'],
  ['ph_adjuster', 'SODIUM HYDROXIDE', 'Buffering, Denaturant'],
  ['ph_adjuster', 'POTASSIUM HYDROXIDE', 'Buffering'],
  [
    'ph_adjuster',
    'TRIETHANOLAMINE',
    'Buffering, Fragrance, Surfactant - Cleansing, Surfactant - Emulsifying',
  ],
  ['ph_adjuster', 'TROMETHAMINE', 'Buffering, Fragrance'],
  ['ph_adjuster', 'CITRIC ACID', 'Buffering, Chelating, Fragrance'],
  ['ph_adjuster', 'SODIUM CITRATE', 'Buffering, Chelating, Fragrance'],
  ['ph_adjuster', 'LACTIC ACID', 'Buffering, Humectant, Skin Conditioning'],
  ['ph_adjuster', 'ARGININE', 'Antistatic, Fragrance, Hair Conditioning, Skin Conditioning'],
  ['ph_adjuster', 'AMINOMETHYL PROPANOL', 'Buffering'],
  ['ph_adjuster', 'SODIUM BICARBONATE', 'Abrasive, Buffering, Deodorant, Oral Care, Skin Protecting'],
  ['fragrance', 'PARFUM', 'Fragrance, Perfuming'],
  ['fragrance', 'AROMA', 'Flavouring'],
  ['fragrance', 'CITRONELLOL', 'Perfuming'],
  ['other', 'LINALOOL', 'Deodorant, Perfuming'],
  ['other', 'MENTHOL', 'Denaturant, Fragrance, Refreshing, Soothing'],
  ['other', 'SODIUM SACCHARIN', 'Flavouring, Oral Care'],
  ['other', 'ETHYL ACETATE', 'Perfuming, Solvent'],
  ['other', 'SCUTELLARIA BAICALENSIS ROOT POWDER', 'Masking'],
  ['sunscreen', 'TITANIUM DIOXIDE', 'Colorant, Opacifying, Uv Absorber, Uv Filter'],
  [
    'sunscreen',
    'ZINC OXIDE',
    'Antimicrobial, Bulking, Colorant, Light Stabilizer, Oral Care, Skin Protecting, Uv Absorber, Uv Filter',
  ],
  ['sunscreen', 'ETHYLHEXYL METHOXYCINNAMATE', 'Light Stabilizer, Uv Absorber, Uv Filter'],
  ['sunscreen', 'OCTOCRYLENE', 'Light Stabilizer, Uv Absorber, Uv Filter'],
  ['sunscreen', 'HOMOSALATE', 'Fragrance, Uv Absorber, Uv Filter'],
  ['sunscreen', 'BUTYL METHOXYDIBENZOYLMETHANE', 'Light Stabilizer, Uv Absorber, Uv Filter'],
  [
    'sunscreen',
    'BIS-ETHYLHEXYLOXYPHENOL METHOXYPHENYL TRIAZINE',
    'Hair Conditioning, Light Stabilizer, Uv Absorber, Uv Filter',
  ],
  ['colorant', 'CI 77891', 'Colorant'],
  ['colorant', 'CI 77491', 'Colorant'],
  ['colorant', 'MICA', 'Anticaking, Bulking, Colorant, Opacifying'],
  ['colorant', 'CARAMEL', 'Colorant, Fragrance'],
  ['colorant', 'BETA-CAROTENE', 'Skin Conditioning'],
  ['colorant', 'P-PHENYLENEDIAMINE', 'Hair Dyeing'],
  ['antioxidant', 'TOCOPHEROL', 'Antioxidant, Fragrance, Skin Conditioning'],
  ['antioxidant', 'TOCOPHERYL ACETATE', 'Antioxidant, Skin Conditioning'],
  ['antioxidant', 'BHT', 'Antioxidant, Fragrance'],
  ['antioxidant', 'ASCORBIC ACID', 'Antioxidant, Buffering, Fragrance, Skin Conditioning'],
  ['antioxidant', 'ASCORBYL GLUCOSIDE', 'Antioxidant'],
  ['antioxidant', 'SODIUM METABISULFITE', 'Antioxidant, Preservative, Reducing'],
  ['antioxidant', 'FERULIC ACID', 'Antimicrobial, Antioxidant'],
  [
    'antioxidant',
    'CAMELLIA SINENSIS LEAF EXTRACT',
    'Antimicrobial, Antioxidant, Astringent, Fragrance, Humectant, Oral Care, Skin Conditioning, Skin Conditioning - Emollient, Skin Protecting, Tonic, Uv Absorber',
  ],
  [
    'emollient',
    'CETYL ALCOHOL',
    'Emulsion Stabilising, Fragrance, Opacifying, Skin Conditioning - Emollient, Surfactant - Cleansing, Surfactant - Emulsifying, Surfactant - Foam Boosting, Viscosity Controlling',
  ],
  [
    'emollient',
    'STEARYL ALCOHOL',
    'Emulsion Stabilising, Fragrance, Opacifying, Refatting, Skin Conditioning - Emollient, Surfactant - Cleansing, Surfactant - Emulsifying, Surfactant - Foam Boosting, Viscosity Controlling',
  ],
  [
    'emollient',
    'CETEARYL ALCOHOL',
    'Emulsion Stabilising, Opacifying, Skin Conditioning - Emollient, Surfactant - Cleansing, Surfactant - Emulsifying, Surfactant - Foam Boosting, Viscosity Controlling',
  ],
  [
    'emollient',
    'DIMETHICONE',
    'Antifoaming, Skin Conditioning, Skin Conditioning - Emollient, Skin Protecting',
  ],
  [
    'emollient',
    'CYCLOPENTASILOXANE',
    'Hair Conditioning, Skin Conditioning, Skin Conditioning - Emollient, Solvent',
  ],
  ['emollient', 'CAPRYLIC/CAPRIC TRIGLYCERIDE', 'Fragrance, Perfuming, Skin Conditioning'],
  ['emollient', 'ISOPROPYL MYRISTATE', 'Binding, Fragrance, Perfuming, Skin Conditioning - Emollient'],
  ['emollient', 'C12-15 ALKYL BENZOATE', 'Antimicrobial, Skin Conditioning, Skin Conditioning - Emollient'],
  ['emollient', 'ETHYLHEXYL PALMITATE', 'Perfuming, Skin Conditioning - Emollient'],
  ['emollient', 'ISODODECANE', 'Perfuming, Skin Conditioning - Emollient, Solvent'],
  ['emollient', 'SQUALANE', 'Hair Conditioning, Refatting, Skin Conditioning, Skin Conditioning - Emollient'],
  ['emollient', 'PARAFFINUM LIQUIDUM', 'Antistatic, Skin Conditioning - Emollient, Skin Protecting, Solvent'],
  ['emollient', 'PETROLATUM', 'Antistatic, Skin Conditioning - Emollient'],
  [
    'emollient',
    'LANOLIN',
    'Antistatic, Hair Conditioning, Skin Conditioning, Skin Conditioning - Emollient, Surfactant - Cleansing, Surfactant - Emulsifying',
  ],
  ['emollient', 'OCTYLDODECANOL', 'Fragrance, Perfuming, Skin Conditioning - Emollient, Solvent'],
  [
    'emollient',
    'DIISOSTEARYL MALATE',
    'Skin Conditioning, Skin Conditioning - Emollient, Surfactant - Cleansing',
  ],
  [
    'emollient',
    'CHOLESTEROL',
    'Light Stabilizer, Skin Conditioning, Skin Conditioning - Emollient, Surfactant - Emulsifying, Viscosity Controlling',
  ],
  [
    'emulsifier',
    'STEARIC ACID',
    'Cleansing, Emulsion Stabilising, Fragrance, Refatting, Surfactant - Cleansing, Surfactant - Emulsifying',
  ],
  ['emulsifier', 'GLYCERYL STEARATE', 'Skin Conditioning - Emollient, Surfactant - Emulsifying'],
  ['emulsifier', 'PEG-100 STEARATE', 'Surfactant - Cleansing'],
  ['emulsifier', 'CETEARETH-20', 'Cleansing, Surfactant - Cleansing, Surfactant - Emulsifying'],
  ['emulsifier', 'POLYSORBATE 60', 'Surfactant - Cleansing, Surfactant - Emulsifying'],
  ['emulsifier', 'SORBITAN OLEATE', 'Surfactant - Emulsifying'],
  ['emulsifier', 'CETEARYL OLIVATE', 'Hair Conditioning'],
  ['emulsifier', 'PEG-40 HYDROGENATED CASTOR OIL', 'Surfactant - Cleansing, Surfactant - Emulsifying'],
  [
    'emulsifier',
    'LECITHIN',
    'Antistatic, Skin Conditioning, Skin Conditioning - Emollient, Surfactant - Emulsifying',
  ],
  ['emulsifier', 'POTASSIUM CETYL PHOSPHATE', 'Surfactant - Cleansing, Surfactant - Emulsifying'],
  ['emulsifier', 'PEG-30 DIPOLYHYDROXYSTEARATE', 'Surfactant - Emulsifying'],
  [
    'surfactant',
    'SODIUM LAURETH SULFATE',
    'Cleansing, Foaming, Surfactant - Cleansing, Surfactant - Emulsifying',
  ],
  [
    'surfactant',
    'SODIUM LAURYL SULFATE',
    'Cleansing, Denaturant, Foaming, Surfactant - Cleansing, Surfactant - Emulsifying',
  ],
  [
    'surfactant',
    'COCAMIDOPROPYL BETAINE',
    'Antistatic, Cleansing, Hair Conditioning, Surfactant - Cleansing, Surfactant - Foam Boosting, Viscosity Controlling',
  ],
  ['surfactant', 'DECYL GLUCOSIDE', 'Cleansing, Emulsion Stabilising, Surfactant - Cleansing'],
  ['surfactant', 'SODIUM COCOYL ISETHIONATE', 'Cleansing, Hair Conditioning, Surfactant - Cleansing'],
  [
    'surfactant',
    'SODIUM LAUROYL SARCOSINATE',
    'Antistatic, Cleansing, Foaming, Hair Conditioning, Skin Conditioning, Surfactant - Cleansing, Surfactant - Emulsifying, Viscosity Controlling',
  ],
  ['surfactant', 'SODIUM COCOYL GLYCINATE', 'Cleansing, Hair Conditioning, Skin Conditioning'],
  ['surfactant', 'SODIUM METHYL COCOYL TAURATE', 'Surfactant - Cleansing'],
  [
    'surfactant',
    'COCAMIDE MEA',
    'Emulsion Stabilising, Surfactant - Cleansing, Surfactant - Emulsifying, Surfactant - Foam Boosting, Viscosity Controlling',
  ],
  ['surfactant', 'CETRIMONIUM CHLORIDE', 'Antimicrobial, Antistatic, Preservative, Surfactant - Emulsifying'],
  ['surfactant', 'BEHENTRIMONIUM CHLORIDE', 'Antistatic, Hair Conditioning, Preservative'],
  [
    'surfactant',
    'LAURAMINE OXIDE',
    'Antistatic, Cleansing, Hair Conditioning, Perfuming, Surfactant - Cleansing, Surfactant - Foam Boosting, Surfactant - Hydrotrope, Viscosity Controlling',
  ],
  ['thickener', 'CARBOMER', 'Emulsion Stabilising, Gel Forming, Viscosity Controlling'],
  [
    'thickener',
    'XANTHAN GUM',
    'Binding, Emulsion Stabilising, Gel Forming, Skin Conditioning, Surfactant - Cleansing, Surfactant - Emulsifying, Viscosity Controlling',
  ],
  [
    'thickener',
    'HYDROXYETHYLCELLULOSE',
    'Binding, Emulsion Stabilising, Film Forming, Light Stabilizer, Viscosity Controlling',
  ],
  [
    'thickener',
    'HYDROXYPROPYL METHYLCELLULOSE',
    'Antistatic, Binding, Emulsion Stabilising, Film Forming, Surfactant - Cleansing, Viscosity Controlling',
  ],
  [
    'thickener',
    'ACRYLATES/C10-30 ALKYL ACRYLATE CROSSPOLYMER',
    'Emulsion Stabilising, Film Forming, Viscosity Controlling',
  ],
  [
    'thickener',
    'SODIUM POLYACRYLATE',
    'Absorbent, Binding, Emulsion Stabilising, Film Forming, Hair Fixing, Skin Conditioning, Skin Conditioning - Emollient, Viscosity Controlling',
  ],
  ['thickener', 'SCLEROTIUM GUM', 'Emulsion Stabilising, Skin Conditioning, Viscosity Controlling'],
  [
    'thickener',
    'CELLULOSE GUM',
    'Binding, Emulsion Stabilising, Film Forming, Fragrance, Viscosity Controlling',
  ],
  ['thickener', 'MAGNESIUM ALUMINUM SILICATE', 'Absorbent, Anticaking, Opacifying, Viscosity Controlling'],
  [
    'thickener',
    'PEG-150 DISTEARATE',
    'Surfactant - Cleansing, Surfactant - Emulsifying, Viscosity Controlling',
  ],
  ['thickener', 'SODIUM CHLORIDE', 'Bulking, Fragrance, Oral Care, Viscosity Controlling'],
  [
    'thickener',
    'CERA ALBA',
    'Film Forming, Perfuming, Skin Conditioning - Emollient, Surfactant - Emulsifying',
  ],
  [
    'thickener',
    'BEESWAX',
    'Binding, Emulsion Stabilising, Fragrance, Skin Conditioning, Viscosity Controlling',
  ],
  ['thickener', 'MICROCRYSTALLINE WAX', 'Binding, Bulking, Emulsion Stabilising, Viscosity Controlling'],
  ['thickener', 'OZOKERITE', 'Binding, Emulsion Stabilising, Opacifying, Viscosity Controlling'],
];

describe('categoryFromCosing', () => {
  it.each(INVENTORY)('calls it %s: %s', (category, inciName, functions) => {
    expect(categoryFromCosing(inciName, functions)).toEqual({ category, unknownFunctions: [] });
  });

  it('does not depend on the order, case, spelling or separator of the functions', () => {
    for (const [category, inciName, functions] of INVENTORY) {
      const list = functions.split(', ');
      const variants = [
        [...list].reverse().join(', '),
        functions.toUpperCase(),
        functions.toLowerCase().replaceAll('stabilising', 'stabilizing').replaceAll(' - ', '-'),
        list.join(' ; '),
        list.join('\n'),
      ];
      for (const variant of variants) {
        expect(categoryFromCosing(inciName, variant)).toEqual({ category, unknownFunctions: [] });
      }
    }
  });

  it.each([
    'iron oxides',
    ' Cetearyl  Alcohol ',
    'Magnesium  Aluminum   Silicate',
    'SODIUM HYDROXIDE',
    'parfum',
    'Mineral Oil',
  ])('knows %p by name, whatever its case and spacing, without any function', (name) =>
    expect(categoryFromCosing(name, '').category).not.toBe('other'),
  );

  it.each([
    [
      'humectant',
      'Propanediol; Pentylene Glycol; 1,2-Hexanediol; Caprylyl Glycol; Dipropylene Glycol; ' +
        'Panthenol; Urea; Sodium Lactate; Glycine; Serine; Alanine; Proline; Ectoin; ' +
        'Hydrolyzed Sodium Hyaluronate; Potassium Hyaluronate',
    ],
    [
      'emollient',
      'Cetyl Alcohol; Stearyl Alcohol; Cetearyl Alcohol; Behenyl Alcohol; Myristyl Alcohol; ' +
        'Lauryl Alcohol; Arachidyl Alcohol; Lanolin; Lanolin Alcohol; Cholesterol; ' +
        'Caprylic/Capric Triglyceride; Triethylhexanoin; Triisostearin; Caprylyl Methicone; ' +
        'Phenyl Trimethicone; Pentaerythrityl Tetraisostearate; Mineral Oil; Hydrogenated Castor Oil; ' +
        'Hydrogenated Shea Butter; Ceramide NP; Ceramide AP; Ceramide EOP',
    ],
    [
      'emulsifier',
      'PEG-100 Stearate; Oleth-20; Cetearyl Olivate; PEG-10 Dimethicone; ' +
        'Polyglyceryl-2 Dipolyhydroxystearate; Lauryl PEG-9 Polydimethylsiloxyethyl Dimethicone',
    ],
    [
      'surfactant',
      'Cetrimonium Chloride; Cetrimonium Bromide; Steartrimonium Chloride; Steartrimonium Bromide; ' +
        'Behentrimonium Chloride; Ceteartrimonium Chloride; Distearyldimonium Chloride; ' +
        'Palmitamidopropyltrimonium Chloride; Stearamidopropyl Dimethylamine; ' +
        'Behenamidopropyl Dimethylamine; Sodium Lauroyl Methyl Isethionate; Lauric Acid; ' +
        'Myristic Acid',
    ],
    [
      'thickener',
      'Cera Alba; Candelilla Cera; Euphorbia Cerifera Cera; Euphorbia Cerifera (Candelilla) Wax; ' +
        'Copernicia Cerifera Cera; Copernicia Cerifera (Carnauba) Wax; Paraffin; Dextrin Palmitate; ' +
        'PEG-150 Distearate; PEG-120 Methyl Glucose Dioleate; PEG-120 Methyl Glucose Trioleate; ' +
        'Sodium Chloride; Hectorite; Magnesium Aluminum Silicate; Lithium Magnesium Sodium Silicate; ' +
        'Polyacrylamide; Carrageenan',
    ],
    ['antioxidant', 'Sodium Metabisulfite; Sodium Sulfite; Sodium Bisulfite; 3-O-Ethyl Ascorbic Acid'],
    [
      'preservative',
      'p-Anisic Acid; Sodium Anisate; Ethylhexylglycerin; Hydroxyacetophenone; ' + 'Caprylhydroxamic Acid',
    ],
    ['ph_adjuster', 'Arginine; Sodium Hydroxide; Potassium Hydroxide'],
    ['fragrance', 'Parfum; Fragrance; Aroma; Flavor'],
    [
      'colorant',
      'Iron Oxides; Carmine; Chromium Oxide Greens; Chromium Hydroxide Green; Bismuth Oxychloride; ' +
        'Manganese Violet; Carbon Black; Beta-Carotene',
    ],
    ['sunscreen', 'Titanium Dioxide; Zinc Oxide'],
    [
      'other',
      'Water; Aqua; Alcohol; Alcohol Denat.; Isopropyl Alcohol; Kaolin; Zinc Stearate; ' +
        'Magnesium Stearate; Aluminum Stearate; Calcium Carbonate; Calcium Phosphate; ' +
        'Magnesium Carbonate; Glycol Distearate; Glycol Stearate; Hydrolyzed Collagen; ' +
        'Hydrolyzed Silk; Hydrolyzed Keratin; Arbutin; Alpha-Arbutin; Kojic Acid; Azelaic Acid; ' +
        'Glycolic Acid; Salicylic Acid; Bisabolol; Caffeine; Dipotassium Glycyrrhizate; ' +
        'Zinc Pyrithione; Piroctone Olamine; Climbazole; PVP; Polyvinyl Alcohol; ' +
        'Trimethylsiloxysilicate; Shellac; Resorcinol; Thymol; Dihydroxyacetone; ' +
        'Guar Hydroxypropyltrimonium Chloride',
    ],
  ])('knows as %s by name, whatever its functions: %s', (category, names) => {
    const functions = category === 'sunscreen' ? 'Preservative' : 'UV Filter';
    const wrong = names
      .split('; ')
      .filter((name) => categoryFromCosing(name, functions).category !== category);
    expect(wrong).toEqual([]);
  });

  const VISCOSITY = 'Solvent; Chelating; Propellant; Bulking; Absorbent; Abrasive; Anticaking';
  it.each([
    ['sunscreen', 'UV Filter', ''],
    ['colorant', 'Colorant; Cosmetic Colorant; Hair Dyeing', ', Preservative'],
    ['preservative', 'Preservative', ', Antioxidant, Depilatory'],
    ['other', 'Hair Waving or Straightening; Depilatory', ', Antioxidant, Buffering'],
    ['antioxidant', 'Antioxidant', ', Buffering'],
    ['ph_adjuster', 'Buffering; pH Adjusters', ', Foaming'],
    [
      'surfactant',
      'Foaming; Foam Boosting; Hydrotrope; Surfactant - Foam Boosting; Surfactant - Hydrotrope',
      ', Gel Forming',
    ],
    ['thickener', 'Gel Forming', ', Surfactant - Emulsifying'],
    ['emulsifier', 'Surfactant - Emulsifying; Emulsifying', ', Humectant'],
    ['humectant', 'Humectant; Skin Conditioning - Humectant', ', Skin Conditioning - Emollient'],
    [
      'emollient',
      'Skin Conditioning - Emollient; Skin Conditioning - Occlusive; Emollient; Refatting',
      ', Moisturising',
    ],
    ['humectant', 'Moisturising', ', Surfactant - Cleansing'],
    [
      'surfactant',
      'Surfactant - Cleansing; Surfactant - Dispersing; Surfactant - Solubilizing; Surfactant',
      ', Perfuming',
    ],
    ['fragrance', 'Perfuming; Fragrance', ''],
    ['fragrance', 'Perfuming', ', Fragrance'],
    ['other', 'Perfuming; Fragrance', ', Masking'],
    ['thickener', 'Perfuming; Fragrance', ', Viscosity Controlling'],
    ['other', VISCOSITY, ', Viscosity Controlling'],
    ['other', VISCOSITY, ', Emulsion Stabilising'],
    ['thickener', 'Viscosity Controlling; Emulsion Stabilising', ', Tonic, Cleansing'],
    ['other', 'Tonic; Soothing; Refreshing; Astringent; Smoothing; Antimicrobial', ', Cleansing'],
    ['surfactant', 'Cleansing', ', Skin Conditioning'],
  ])('says %s for %s, although they are%s', (category, functions, also) => {
    const wrong = functions
      .split('; ')
      .filter((name) => categoryFromCosing('X', `${name}${also}`).category !== category);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Cosmetic Colourant', 'colorant'],
    ['Skin Conditioning-Humectant', 'humectant'],
    ['Skin  Conditioning –Occlusive', 'emollient'],
    ['Skin Conditioning-Miscellaneous', 'other'],
    ['Surfactant-Solubilizing', 'surfactant'],
    ['Oxidizing, Plasticizer, Light Stabiliser', 'other'],
    ['Flavoring', 'other'],
    ['Moisturizing', 'humectant'],
    ['Surfactant – Solubilising', 'surfactant'],
  ])('knows the function %p in its other spelling', (functions, category) => {
    expect(categoryFromCosing('X', functions)).toEqual({ category, unknownFunctions: [] });
  });

  it.each(['Binding', 'Film Forming', 'Emulsion Stabilising'])(
    'takes what controls viscosity for a thickener by %p, although it emulsifies',
    (also) => {
      const functions = `Viscosity Controlling, ${also}, Surfactant - Emulsifying`;
      expect(categoryFromCosing('X', functions).category).toBe('thickener');
    },
  );

  it('takes Colour Index names for colorants', () => {
    expect(categoryFromCosing('CI 77491', '').category).toBe('colorant');
    expect(categoryFromCosing('ci 15850:1', 'Not Reported').category).toBe('colorant');
    expect(categoryFromCosing('CI77491', 'Preservative').category).toBe('colorant');
    for (const name of ['CI TRUS', 'CI 7749', 'CI 774911', 'CI 15850:12', 'XCI 77491', 'CI 77491 X'])
      expect(categoryFromCosing(name, '').category).toBe('other');
  });

  it.each(['', 'Not Reported', ' , ', 'Skin Conditioning', 'Hair Conditioning, Antistatic'])(
    'says other when the functions %p tell nothing more precise',
    (functions) => {
      expect(categoryFromCosing('SOME EXTRACT', functions)).toEqual({
        category: 'other',
        unknownFunctions: [],
      });
    },
  );

  it('names functions that the inventory does not have', () => {
    expect(categoryFromCosing('X', 'Preservatives, Solvent,Humectent')).toEqual({
      category: 'other',
      unknownFunctions: ['Preservatives', 'Humectent'],
    });
  });

  it('knows the functions of the inventory that lead to no category', () => {
    const functions =
      'abrasive, absorbent, anticaking, anticorrosive, antidandruff, antifoaming, antimicrobial, ' +
      'antiperspirant, antiplaque, anti-seborrheic, anti-sebum, antistatic, artificial nail builder, ' +
      'astringent, binding, bleaching, bulking, chelating, denaturant, deodorant, detangling, epilating, ' +
      'exfoliating, eyelash conditioning, film forming, flavouring, hair conditioning, hair fixing, keratolytic, ' +
      'light stabilizer, masking, nail conditioning, nail sculpting, not reported, opacifying, oral care, ' +
      'oxidising, pearlescent, plasticiser, propellant, professional use, reducing, refreshing, ' +
      'skin conditioning, skin conditioning - miscellaneous, skin protecting, slip modifier, smoothing, ' +
      'solvent, soothing, surface modifier, tanning, tonic, uv absorber';
    expect(functions.split(', ')).toHaveLength(54);
    expect(categoryFromCosing('X', functions).unknownFunctions).toEqual([]);
  });

  it('has rules only for categories of the contract', () => {
    expect(FUNCTION_CATEGORIES).toEqual(expect.arrayContaining(COSING_RULES.map(({ category }) => category)));
  });
});
