import type { Language } from "./catalogs.ts";

type Correction = [wrong: RegExp, right: string | ((text: string) => string)];

/** Corrects mistakes of cronstrue 3.39 in a language: cases, articles, commas and spaces. */
export const correctCronWords = (language: Language, words: string): string =>
  (CORRECTIONS[language] ?? []).reduce(
    (text, [wrong, right]) => text.replace(wrong, right as string),
    words,
  ).trim();

/** Replaces the words of a text that have another form here. */
const inflect = (text: string, forms: Record<string, string>) =>
  text.replace(/\p{L}+/gu, (word) => forms[word] ?? word);

const POLISH_ACCUSATIVE = { środa: "środę", sobota: "sobotę", niedziela: "niedzielę" };
const POLISH_ORDINALS = {
  pierwszy: "pierwszą",
  drugi: "drugą",
  trzeci: "trzecią",
  czwarty: "czwartą",
  piąty: "piątą",
  ostatni: "ostatnią",
};
const POLISH_LOCATIVE = {
  styczeń: "styczniu",
  luty: "lutym",
  marzec: "marcu",
  kwiecień: "kwietniu",
  maj: "maju",
  czerwiec: "czerwcu",
  lipiec: "lipcu",
  sierpień: "sierpniu",
  wrzesień: "wrześniu",
  październik: "październiku",
  listopad: "listopadzie",
  grudzień: "grudniu",
};
const POLISH_GENITIVE = {
  poniedziałek: "poniedziałku",
  wtorek: "wtorku",
  środa: "środy",
  czwartek: "czwartku",
  piątek: "piątku",
  sobota: "soboty",
  niedziela: "niedzieli",
  styczeń: "stycznia",
  luty: "lutego",
  marzec: "marca",
  kwiecień: "kwietnia",
  maj: "maja",
  czerwiec: "czerwca",
  lipiec: "lipca",
  sierpień: "sierpnia",
  wrzesień: "września",
  październik: "października",
  listopad: "listopada",
  grudzień: "grudnia",
};
const POLISH_FEW = { godzin: "godziny", minut: "minuty", miesięcy: "miesiące" };

const RUSSIAN_ACCUSATIVE = { среда: "среду", пятница: "пятницу", суббота: "субботу" };
const RUSSIAN_LOCATIVE = {
  январь: "январе",
  февраль: "феврале",
  март: "марте",
  апрель: "апреле",
  май: "мае",
  июнь: "июне",
  июль: "июле",
  август: "августе",
  сентябрь: "сентябре",
  октябрь: "октябре",
  ноябрь: "ноябре",
  декабрь: "декабре",
};

/** Only weekdays in "-feira" are feminine. */
const portugueseDays: Correction[] = [
  [/, e /g, " e "],
  [/(somente|apenas|e) de (sábado|domingo)/g, "$1 no $2"],
  [/(somente|apenas|e) de (\S+-feira)/g, "$1 na $2"],
  [/no dia da semana mais próximo/, "no dia útil mais próximo"],
];

const chinese: Correction[] = [
  [/, (或|和)/g, "$1"],
  [/ ?, /g, "，"],
  [/(第|每月的?|至|和|限每月)\s+(?=\d)/g, "$1 "],
  [/(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])/g, ""],
  [/(星期.)，(?=星期)/g, "$1、"],
];

const CORRECTIONS: Record<Language, Correction[] | undefined> = {
  de: [
    [/, und /g, " und "],
    [/an Tag (\d+) des/, "am $1. Tag des"],
    [/zwischen Tag (\d+) und (\d+) des/, "vom $1. bis zum $2. Tag des"],
    [/am nächsten zum (\d+) Tag des Monats/, "am nächsten zum $1. Tag des Monats"],
  ],
  es: [
    [/, y /g, " y "],
    [/sólo/g, "solo"],
    [/el día de la semana más próximo/, "el día laborable más próximo"],
  ],
  fr: [
    [/ mois, et (?!le )/, " mois et le "],
    [/, et /g, " et "],
    [/(du|le) 1 (?=au |du mois)/, "$1 1er "],
  ],
  it: [
    [/, e /g, " e "],
    [/(?<=, |^)(lunedì|martedì|mercoledì|giovedì|venerdì|sabato) al /, "dal $1 al "],
    [/(?<=, |^)domenica al /, "dalla domenica al "],
    [/ al domenica/, " alla domenica"],
    [/\bil domenica/, "la domenica"],
    [/il (prim|second|terz|quart|quint)o domenica/, "la $1a domenica"],
    [/l'ultimo domenica/, "l'ultima domenica"],
    [/(?<=, )(\p{L}+o|aprile|settembre|ottobre|novembre|dicembre) al (?=\p{L})/u, "da $1 a "],
    [/Al (.+) minuto passata l'ora/, "Ai minuti $1 di ogni ora"],
    [/il giorno della settimana più vicino/, "il giorno feriale più vicino"],
    [/tra il giorno (\d+) e (\d+)/, "dal giorno $1 al $2"],
  ],
  nl: [[/, en /g, " en "]],
  pl: [
    [/, i /g, " i "],
    [/(?<!\d)(\d+)-ego/g, "$1."],
    // 2 to 4 and 22 to 24 have a form of their own, 12 to 14 do not.
    [
      /[Cc]o (?!1[234])\d?[234] (?:godzin|minut|miesięcy)(?!\p{L})/u,
      (text) => inflect(text, POLISH_FEW),
    ],
    [/(?<=od )\p{L}+ do \p{L}+/u, (text) => inflect(text, POLISH_GENITIVE)],
    [/ostatni dzień miesiąca/, "ostatniego dnia miesiąca"],
    [/dzień roboczy najbliższy (\d+\.) dnia/, "w dzień roboczy najbliższy $1 dniowi"],
    [
      /(?<!\p{L})\p{L}+ (?=(?:środa|sobota|niedziela) miesiąca)/u,
      (text) => inflect(text, POLISH_ORDINALS),
    ],
    [/(?<=, )(?=\p{L}+ (?!dnia)\p{L}+ miesiąca)/u, "w "],
    [/.+/, (text) => inflect(text, { ...POLISH_ACCUSATIVE, ...POLISH_LOCATIVE })],
    [/tylko (?=\p{L})/gu, "tylko w "],
    [/miesiąca i (?=\p{L})/u, "miesiąca i w "],
  ],
  pt: [[/somente/g, "apenas"], ...portugueseDays],
  "pt-br": portugueseDays,
  ru: [
    [/, и /g, " и "],
    [/(?<!,) (каждые \d+ месяц)/, ", $1"],
    [/в (\d+) число месяца/, "$1-го числа месяца"],
    [/месяца и (?!в )\p{L}+/u, (text) => inflect(text, RUSSIAN_ACCUSATIVE)],
    [/месяца и (?!во? )/, "месяца и в "],
    [/(?<=только )\p{L}+(?:(?:, | и )\p{L}+)*/u, (text) => inflect(text, RUSSIAN_LOCATIVE)],
    [/только (?!во? )/g, "только в "],
  ],
  "zh-cn": [
    ...chinese,
    [/每隔/g, "每"],
    [/在(?=\d)/g, "在 "],
    [/一月和六月份/, "一月和六月"],
  ],
  "zh-tw": [...chinese, [/每 (\d+) 月/, "每 $1 個月"], [/每月的(?= ?\d)/, "每月"]],
};
