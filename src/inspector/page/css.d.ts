/** A style sheet, which the build writes into a file of its own. */
declare module '*.css'
