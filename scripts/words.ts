/**
 * The words that texts and comments must not contain, and what to write instead. `check-words.ts` enforces them.
 *
 * @module
 */

export interface Word {
  /** Name of the word, in tests. */
  word: string
  /** What to find. White space stands for any white space, line breaks included. */
  pattern: RegExp
  /** What to write instead. */
  write: string
  /** Also find it in names. @default false */
  inCode?: true
}

export const WORDS: readonly Word[] = [
  { word: 'held against', pattern: /\bh[eo]ld(?:s|ing)? (?:\w+ ){0,6}?against\b/, write: 'validate, check' },
  { word: 'judge of', pattern: /\bjudge of\b/, write: 'check' },
  { word: 'anew', pattern: /\banew\b/, write: 'again, restart' },
  { word: 'whoever', pattern: /\bwhoever\b/, write: 'anyone who, or name them' },
  { word: 'nobody', pattern: /\bnobody\b/, write: 'no one, or name them' },
  { word: 'somebody', pattern: /\bsomebody\b/, write: 'someone, or name them' },
  { word: 'everybody', pattern: /\beverybody\b/, write: 'everyone, or name them' },
  {
    word: 'is no',
    // "There is no interface.md" is English, and so are "is no longer" and "is no one".
    pattern: /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|less\b|fewer\b|better\b|one\b)[a-z]/,
    write: 'is not a',
  },
  { word: 'answered with', pattern: /\banswer(?:ed|s)? with\b/, write: 'returns' },
  {
    word: 'refuse',
    // A connection is refused, in everyone's words.
    pattern: /(?<!\bconnections? (?:was |were |is )?)(?<![\w.-])refus(?:al|als|e|es|ed|ing)(?![\w-])/,
    write: 'reject, error response',
  },
  { word: 'let in', pattern: /\blets? (?:in|pass|through)\b/, write: 'accept' },
  { word: 'beside', pattern: /\bbeside\b/, write: 'also, in addition to, next to' },
  { word: 'dear', pattern: /\b(?:dearer|dearest|dear(?! (?:reader|diary)))\b/, write: 'expensive, slow' },
  { word: 'e-mail', pattern: /(?<![\w-])e-mails?(?![\w-])/, write: 'email' },
  {
    word: 'mail',
    pattern:
      /\b(?:an?|each|every|one|no) mail(?! (?:sink|server|hook|box|catcher|client))\b|(?<![\w.-])mail(?:s|ed)(?![\w-])/,
    write: 'email, an email, emailed',
  },
  { word: 'user name', pattern: /\buser names?\b/, write: 'username' },
  { word: 'paging', pattern: /(?<![\w.-])paging(?![\w-])/, write: 'pagination' },
  { word: 'positive control', pattern: /\bpositive controls?\b/, write: 'precondition' },
  {
    word: 'of which',
    pattern: /(?<!independent )\bof (?:which|whom)\b/,
    write: 'whose, that, or two sentences',
  },
  { word: 'lane', pattern: /\blanes?\b/, write: 'shard' },
  {
    word: 'twin',
    // A field of the suite's tables has this name.
    pattern: /(?<![\w.-]|name: )twins?(?![\w-]|:(?:ref|link)\b| nodes\/)/,
    write: 'second shard, counterpart',
  },
  { word: 'chance', pattern: /\bchance\b/, write: 'random' },
  { word: 'surface', pattern: /\bsurfaces?\b/, write: 'integration, public API' },
  { word: 'mend', pattern: /\b(?:tend(?:s|ed|ing)?|mend(?:s|ed|ing)?)\b/, write: 'manage, fix' },
  { word: 'ledger', pattern: /\b(?:ledgers?|books)\b/, write: 'cleanup registry' },
  { word: 'as a text', pattern: /\bas a text\b(?! (?:field|file|column)\b)/, write: 'as a string' },
  { word: 'ought', pattern: /\bought to\b/, write: 'should' },
  { word: 'texts', pattern: /(?<![\w.]|')texts(?![\w-]|\.\w)/, write: 'strings' },
  { word: '(gap', pattern: /\(gap [a-z]/, write: 'the document does not say' },
  // To tell someone to do something is English, and so is to tell things apart.
  { word: 'told', pattern: /\btold\b(?! to\b)/, write: 'reported, returned, shown' },
  { word: 'tells', pattern: /\btells\b(?! (?:\w+ to|apart)\b)/, write: 'reports, returns, says' },
  { word: 'besides', pattern: /\bbesides\b/, write: 'in addition to' },
  { word: 'reply', pattern: /(?<![\w.-])repl(?:y|ies|ied)(?![\w-])/, write: 'response' },
  {
    word: 'none of the',
    pattern: /\b(?:is|are) none of (?:the|its|these|those)\b/,
    write: 'is not one of, is not part of',
  },
  {
    word: 'who …',
    // At the start of a sentence that is not a question.
    pattern:
      /(?<![\w,)`’'"] )(?<![\w-])who (?:is|has|takes|listens|looks|reads|signs|asks|comes)\b[^.?]{0,60}? (?:may|must|hears|starts|reads|names|is|gets)\b(?![^.?]*\?)/,
    write: 'users who, or name them',
  },
  { word: 'has to bear', pattern: /\bha(?:s|ve) to bear\b/, write: 'must accept' },
  { word: 'to be had', pattern: /\b(?:to|can|cannot|could) be had\b/, write: 'available' },
  { word: 'half done', pattern: /\bhalf done\b/, write: 'partly applied' },
  {
    word: 'British spelling',
    // `date.normalises` is the id of a requirement.
    pattern:
      /(?<!date\.)(?:normal|recogn|special|serial|initial|organ|summar|minim|optim|sanit|capital|author|token|custom|general|standard|synchron|final|priorit|categor|memor|local)is(?:ation|e[drs]?|ing)(?![a-z])|colour|behaviour|favour|honour|neighbour/,
    write: 'the American spelling: -ize, -or',
    inCode: true,
  },
  { word: 'there are:', pattern: /\bthere are: /, write: 'Valid values, Available, or what they are' },
  { word: ': give', pattern: /: give (?:an?|one|the|it|at)\b/, write: 'expected, pass, set' },
  { word: 'in place of', pattern: /\bin place of\b/, write: 'instead of' },
  { word: 'stands there', pattern: /\bstands? (?:there|nowhere|still)\b/, write: 'is, appears, is stopped' },
  // "To ask the same of others" is English.
  { word: 'the same of', pattern: /(?<!\basks? )\bthe same of\b/, write: 'the same for, or say it again' },
  { word: 'no answer', pattern: /\b(?:an|no|its|each|complete) answer\b/, write: 'response' },
  {
    word: 'something else than',
    pattern: /\b(?:some|any|no)thing else than\b/,
    write: 'something other than',
  },
  {
    word: 'but otherwise than',
    pattern: /\bbut otherwise than\b/,
    write: 'but differently from, but not like',
  },
]

/** Folders in which comments, titles of tests and READMEs must not contain them either. */
export const COMMENT_FOLDERS: readonly string[] = [
  // One folder per line, so that branches merge.
  'cli/',
  'examples/',
  'exchange/',
  'harness/',
  'integrations/',
  'openapi/',
  'proofs/',
  'reference/',
  'scripts/',
  'serve/',
  'spec/',
  'suites/',
  'targets/',
  'test/',
  'validate/',
]
