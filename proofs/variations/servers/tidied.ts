/** The tables of the normalizing server, and what becomes of a value of each type. */

import { isObject } from '../../../exchange/json-object.ts'
import { type Fields, timestamp } from './plumbing.ts'

export type FieldEntry = Fields & { id: string }

export interface Book {
  id: string
  name: string
  types: Record<string, string>
  entries: Map<string, FieldEntry>
  /** Who may read and write: anyone, the owner, no one, or, for accounts, anyone and the account itself. */
  policy: 'public' | 'private' | 'shut' | 'accounts'
  ways: string[]
  minutes: number
}

export interface Ticket {
  use: string
  book: Book
  id: string
  until: number
  extra?: string
}

export const root = 'tidy-root-51d7c1f3a2'
const people = 'email:email,verified:flag,name:text,username:handle'
export const shelf = `
  pages      public   title:text
  places     public   name:text,rank:number,parent:link>places
  exhibits   public   text:text,number:number,bool:bool,email:email,url:url,editor:html,date:date,stamp:stamp,select:text,selects:list,json:json,file:text,files:list,relation:link>places,relations:list,password:stars,geo:point
  notes      public   label:text,parent:link>pages!
  pointers   public   label:text,one:link>pages,many:list
  numbers    public   code:unique,grp:text,slot:number,alias:text,nick:text,twin:link>places
  secrets    private  title:text,owner:link>readers!
  basement   shut     title:text
  readers    accounts ${people} email,username,otp
  clerks     accounts ${people} email
  pen_names  accounts ${people} username
  wary       accounts ${people} email,otp,mfa
  abroad     accounts ${people} email,oauth2
  forgetful  accounts ${people} otp
  brief      accounts ${people} email 0.166`

export const tidy = (value: unknown) => String(value).normalize('NFC').trim()
const rounded = (value: unknown, digits: number) => Number(Number(value).toFixed(digits)) + 0
/** Type → what becomes of a value; undefined if it cannot be tidied. */
export const tidied: Record<string, (value: unknown) => unknown> = {
  text: tidy,
  unique: tidy,
  handle: (value) => tidy(value).toLowerCase(),
  email: (value) => tidy(value).toLowerCase(),
  html: (value) => tidy(value).replaceAll(/\s+/g, ' '),
  url: (value) =>
    URL.canParse(tidy(value)) ? new URL(tidy(value)).href : tidy(value) === '' ? '' : undefined,
  number: (value) => (Number.isFinite(Number(value)) ? rounded(value, 2) : undefined),
  bool: (value) => value === true || value === 'true',
  date: (value) => {
    const moment = Date.parse(tidy(value).replace(' ', 'T'))
    return Number.isNaN(moment) ? '' : timestamp(Math.floor(moment / 1_000) * 1_000)
  },
  list: (value) => (Array.isArray(value) ? value : [value]).map(tidy),
  json: (value) => value,
  link: tidy,
  stars: (value) => (tidy(value) === '' ? null : '********'),
  point: (value) =>
    isObject(value) ? { lon: rounded(value.lon, 6), lat: rounded(value.lat, 6) } : undefined,
}
export const normalZeros: Record<string, unknown> = {
  number: 0,
  bool: false,
  flag: false,
  list: [],
  json: null,
  stars: null,
  point: { lon: 0, lat: 0 },
}
