import { gql, type TypedDocumentNode } from '@apollo/client'

export interface Book {
  id: string
  title: string
  author: string
  year: number
}

interface BooksData {
  books: {
    edges: { node: Book }[]
    pageInfo: { hasNextPage: boolean; endCursor: string | null }
  }
}

export const BOOKS: TypedDocumentNode<BooksData, { after?: string | null }> = gql`
  query Books($after: String) {
    books(first: 4, after: $after) {
      edges {
        node {
          id
          title
          author
          year
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`

interface BookOfTheMonthData {
  bookOfTheMonth: Book & { copiesLeft: number | null }
}

export const BOOK_OF_THE_MONTH: TypedDocumentNode<BookOfTheMonthData, Record<string, never>> = gql`
  query BookOfTheMonth {
    bookOfTheMonth {
      id
      title
      author
      year
      copiesLeft
    }
  }
`
