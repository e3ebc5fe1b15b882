// Validates OpenAPI descriptions, each a file: every problem is a line.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/getkin/kin-openapi/openapi3"
)

func main() {
	problems := 0
	for _, file := range os.Args[1:] {
		if err := validate(file); err != nil {
			problems++
			fmt.Printf("%s: %v\n", file, err)
		}
	}
	fmt.Printf("descriptions: %d, problems: %d\n", len(os.Args)-1, problems)
	if problems > 0 {
		os.Exit(1)
	}
}

// Also checks that the examples match their schemas.
func validate(file string) error {
	description, err := openapi3.NewLoader().LoadFromFile(file)
	if err != nil {
		return err
	}
	return description.Validate(context.Background(), openapi3.EnableExamplesValidation())
}
