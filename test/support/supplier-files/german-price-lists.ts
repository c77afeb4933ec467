import type { SupplierFile } from './reading';
import { encoded, workbook } from './workbook';

const lines = (...rows: readonly string[]) => rows.join('\r\n') + '\r\n';

/** Price lists of suppliers in Germany and Switzerland, with what a careful human reads in them. */
export const GERMAN_PRICE_LISTS: readonly SupplierFile[] = [
  {
    make: 'German CSV in Windows-1252: title, decimal comma, 1.234,56, `auf Anfrage`, trailing note',
    content: encoded(
      lines(
        'Müller Rohstoffe GmbH;;;;',
        'INCI-Bezeichnung;Handelsname;CAS-Nr.;Preis €/kg;Mindestmenge',
        'Panthenol;D-Panthenol 75;81-13-0;18,90;5 kg',
        'Ceramide NP;Süßmandel-Ceramid;100403-19-8;1.234,56;10 g',
        'Bisabolol;Kamillenöl-Wirkstoff;23089-26-1;auf Anfrage;1 kg',
        'Alle Preise zzgl. MwSt., gültig bis 31.12.2026;;;;',
      ),
      'windows-1252',
    ),
    attempts: [
      { asks: /could be .*windows-1252/i },
      {
        query: 'encoding=windows-1252',
        prices: [
          ['Panthenol', 18.9, 'kg'],
          ['Ceramide NP', 1234.56, 'kg'],
          ['Bisabolol', null, 'kg'],
        ],
        notes: [/prices on request/, /Alle Preise zzgl/],
      },
    ],
  },
  {
    make: 'German XLSX from SAP: price, price unit (PE) and unit (ME) in columns of their own',
    content: workbook({
      name: 'Export',
      rows: [
        ['INCI', 'Preis', 'PE', 'ME'],
        ['Tocopherol', 125, 100, 'KG'],
        ['Squalane', 31, 1, 'KG'],
      ],
    }),
    attempts: [{ asks: /"PE" looks like unit/ }],
  },
  {
    make: 'German XLSX: a number stored as text that could be thousands, beside real numbers',
    content: workbook({
      name: 'Preise',
      rows: [
        ['INCI', 'Preis (€/kg)'],
        ['Bakuchiol', '1.250'],
        ['Allantoin', 28.5],
      ],
    }),
    attempts: [
      {
        prices: [['Allantoin', 28.5, 'kg']],
        faults: [[2, 'Preis (€/kg)', '1.250', /could be 1\.250 or 1250/]],
      },
    ],
  },
  {
    make: 'German XLSX: prices per 100 g',
    content: workbook({
      name: 'Wirkstoffe',
      rows: [
        ['INCI Name', 'Preis (€/100 g)'],
        ['Retinal', 89.9],
        ['Ferulic Acid', '12,50'],
      ],
    }),
    attempts: [
      {
        prices: [
          ['Retinal', 899, 'kg'],
          ['Ferulic Acid', 125, 'kg'],
        ],
        notes: [/prices are per 100 g/],
      },
    ],
  },
  {
    make: "Swiss CSV with semicolons: 1'234.56, EINECS, dash, n/a, header repeated for each page",
    content: Buffer.from(
      lines(
        'INCI name;EINECS;Preis CHF/kg',
        "Hyaluronic Acid;232-678-0;1'234.56",
        'Urea;200-315-5;-',
        'INCI name;EINECS;Preis CHF/kg',
        'Lecithin;232-307-2;27.80',
        'Inositol;201-781-2;n/a',
      ),
    ),
    attempts: [
      {
        prices: [
          ['Hyaluronic Acid', 1234.56, 'kg'],
          ['Urea', null, 'kg'],
          ['Lecithin', 27.8, 'kg'],
          ['Inositol', null, 'kg'],
        ],
        notes: [/header again were not read: 4/],
      },
    ],
  },
];
