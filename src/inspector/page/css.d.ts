/** Style sheets, which the build bundles into one file. */
declare module '*.css'
