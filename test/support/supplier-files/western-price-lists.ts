import { mapped, type SupplierFile } from './reading';
import { workbook } from './workbook';

const lines = (...rows: readonly string[]) => rows.join('\r\n') + '\r\n';

/** Price lists of further suppliers in Europe and America, with what a careful human reads in them. */
export const WESTERN_PRICE_LISTS: readonly SupplierFile[] = [
  {
    make: 'French CSV, UTF-8 with a mark: 1 234,56 with narrow and plain NBSP, `sur demande`, `Fournisseur`, note',
    content: Buffer.from(
      '\ufeff' +
        lines(
          'Nom INCI;Nom commercial;N° CAS;Fournisseur;Prix unitaire HT (€/kg);Conditionnement',
          'Squalane;Squalane végétal;111-01-3;Dupont;1\u00a0234,56;Fût 180 kg',
          'Xanthan Gum;Gomme xanthane;11138-66-2;Dupont;14,2;Sac 25 kg',
          'Caffeine;Caféine;58-08-2;Dupont;1\u202f050,00;Carton 25 kg',
          'Parfum;Fleur blanche;;Dupont;sur demande;',
          ';;;;;',
          "Prix valables jusqu'au 31/12/2026, départ usine;;;;;",
        ),
    ),
    attempts: [
      {
        prices: [
          ['Squalane', 1234.56, 'kg', 'Dupont'],
          ['Xanthan Gum', 14.2, 'kg', 'Dupont'],
          ['Caffeine', 1050, 'kg', 'Dupont'],
          ['Parfum', null, 'kg', 'Dupont'],
        ],
        notes: [/prices on request/, /Prix valables/],
      },
    ],
  },
  {
    make: 'Italian XLSX: header in two rows, prices for three quantities',
    content: workbook({
      name: 'Listino',
      rows: [
        ['Listino prezzi 2026'],
        ['INCI', 'Prezzo €/kg', null, null, 'Note'],
        [null, '25 kg', '100 kg', '500 kg'],
        ['Cetearyl Alcohol', 6.2, 5.8, 5.1],
        ['Glyceryl Stearate', 7.4, 7, 6.35],
      ],
      merged: ['A2:A3', 'B2:D2', 'E2:E3'],
    }),
    attempts: [
      { asks: /"Prezzo €\/kg 25 kg" looks like unitPrice/ },
      {
        query: mapped('Prezzo €/kg 25 kg=unitPrice', 'Prezzo €/kg 100 kg=', 'Prezzo €/kg 500 kg='),
        prices: [
          ['Cetearyl Alcohol', 6.2, 'kg'],
          ['Glyceryl Stearate', 7.4, 'kg'],
        ],
      },
    ],
  },
  {
    make: 'American text in UTF-16LE with tabs: price per pound, POA',
    content: Buffer.from(
      '\ufeff' +
        lines(
          'Trade Name\tINCI Name\tCAS\tPrice (USD/lb)\tPack Size',
          'Dow 200\tDimethicone\t63148-62-9\t$4.25\t440 lb drum',
          'Natrosol\tHydroxyethylcellulose\t9004-62-0\t$12.10\t50 lb bag',
          'Rare\tTocotrienols\t\tPOA\t1 lb',
        ),
      'utf16le',
    ),
    attempts: [
      { asks: /"Price \(USD\/lb\)" looks like unitPrice/ },
      {
        query: mapped('Price (USD/lb)=unitPrice'),
        prices: [
          ['Dimethicone', 4.25, 'lb'],
          ['Hydroxyethylcellulose', 12.1, 'lb'],
          ['Tocotrienols', null, 'kg'],
        ],
      },
    ],
  },
  {
    make: 'British XLSX of a small seller: a price for each pack, no unit',
    content: workbook({
      name: 'Sheet1',
      rows: [
        ['INCI Name', 'Size', 'Price'],
        ['Niacinamide', '100 g', '£4.50'],
        ['Shea Butter', '1 kg', '£11.00'],
        ['Rosehip Oil', '250 ml', '£9.25'],
        ['Vitamin C', '454 g', '£19.99'],
      ],
    }),
    attempts: [
      {
        faults: [
          [2, 'Size', '100 g', /"Price" does not say .*map "Size=unit"/],
          [4, 'Size', '250 ml', /does not say/],
          [5, 'Size', '454 g', /does not say/],
        ],
        prices: [['Shea Butter', 11, 'kg']],
      },
      {
        query: mapped('Size=unit'),
        prices: [
          ['Niacinamide', 4.5, '100 g'],
          ['Shea Butter', 11, '1 kg'],
          ['Rosehip Oil', 9.25, '250 ml'],
          ['Vitamin C', 19.99, '454 g'],
        ],
      },
      {
        query: mapped('Size='),
        prices: [
          ['Niacinamide', 4.5, 'kg'],
          ['Shea Butter', 11, 'kg'],
          ['Rosehip Oil', 9.25, 'kg'],
          ['Vitamin C', 19.99, 'kg'],
        ],
      },
    ],
  },
  {
    make: 'XLSX with formulas and noise in their results, hidden old prices, merged supplier, headings of groups, dates',
    content: workbook({
      name: 'Prices',
      rows: [
        ['INCI Name', 'Supplier', 'Old price (€/kg)', 'Price (€/kg)', 'Valid from'],
        ['EMULSIFIERS'],
        [
          'Sorbitan Oleate',
          'Acme',
          4,
          { value: 12.350000000000001, formula: 'C3*3' },
          { value: 46082, format: 'date' },
        ],
        ['Polysorbate 20', null, 5, { formula: 'C4*3' }, { value: 46082, format: 'date' }],
        ['PRESERVATIVES'],
        ['Phenoxyethanol', 'Acme', 6, 6.5, { value: 46082, format: 'date' }],
        ['Benzoic Acid', null, 7, 7.25, { value: 46082, format: 'date' }],
      ],
      merged: ['A2:E2', 'B3:B4', 'A5:E5', 'B6:B7'],
      hiddenRows: [7],
      hiddenColumns: [3],
    }),
    attempts: [
      { asks: /"Old price \(€\/kg\)" looks like unitPrice/ },
      {
        query: mapped('Old price (€/kg)='),
        prices: [
          ['Sorbitan Oleate', 12.35, 'kg', 'Acme'],
          ['Phenoxyethanol', 6.5, 'kg', 'Acme'],
          ['Benzoic Acid', 7.25, 'kg', 'Acme'],
        ],
        faults: [[4, 'Price (€/kg)', '', /formula without its result/]],
        notes: [/Hidden rows were read as the others: 7/, /EMULSIFIERS/],
      },
    ],
  },
  {
    make: 'XLSX of an importer whose numbers are shown in € or in US$, by the format of their cells',
    content: workbook({
      name: 'Prices',
      rows: [
        ['INCI', 'Price per kg'],
        ['Argan Oil', { value: 21.5, format: '€' }],
        ['Jojoba Oil', { value: 18, format: 'US$' }],
        ['Castor Oil', 4.2],
      ],
    }),
    attempts: [
      {
        prices: [['Castor Oil', 4.2, 'kg']],
        faults: [
          [2, 'Price per kg', '21.5', /is in EUR, and the column has EUR and USD/],
          [3, 'Price per kg', '18', /is in USD/],
        ],
      },
    ],
  },
  {
    make: 'XLSX with two tables below each other, the second per 100 g and in another order',
    content: workbook({
      name: 'List',
      rows: [
        ['Bulk'],
        ['INCI', 'RMB/kg'],
        ['Glycerin', 9],
        ['Urea', 11],
        [],
        ['Actives'],
        ['元/100g', 'INCI'],
        [55, 'Retinol'],
        [31.5, 'Adenosine'],
      ],
    }),
    attempts: [
      { asks: /[Rr]ow 7 .*header.*headerRow/ },
      {
        query: 'headerRow=2',
        prices: [
          ['Glycerin', 9, 'kg'],
          ['Urea', 11, 'kg'],
        ],
        notes: [/[Rr]ow 7/],
      },
      {
        query: 'headerRow=7',
        prices: [
          ['Retinol', 550, 'kg'],
          ['Adenosine', 315, 'kg'],
        ],
      },
    ],
  },
];
