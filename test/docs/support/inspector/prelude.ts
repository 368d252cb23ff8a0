declare const queryClient: import('@tanstack/react-query').QueryClient
